import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect } from '@jest/globals';
import sharp from 'sharp';
import { createDiskStore } from '../src/diskStore.ts';
import type { MediaStore } from '../src/mediaStore.ts';
import { createStoreOutput } from '../src/storeOutput.ts';

/** Maximum bytes of an output in tests. */
export const maxOutputBytes = { video: 1_000_000_000, image: 200_000_000 };

/** A media store for a test file, and the function that turns providers' files into stored outputs. */
export interface OutputStore {
  readonly store: MediaStore;
  /** The folder of the test file. */
  readonly root: string;
  /** The fields of log lines, unless the log is given. */
  readonly logged: object[];
  storeOutput: ReturnType<typeof createStoreOutput>;
  /** Stores bytes as an output, and reads it back. */
  finish(bytes: Uint8Array, format: string): Promise<Buffer>;
}

/** Opens the store before a file's tests, and removes it afterwards. */
export function useOutputStore(options: Options = {}): () => OutputStore {
  let opened: OutputStore;
  beforeAll(async () => {
    opened = openOutputStore(await mkdtemp(join(tmpdir(), 'framegate-outputs-')), options);
  });
  afterAll(() => rm(opened.root, { recursive: true }));
  return () => opened;
}

type Options = Partial<Pick<Parameters<typeof createStoreOutput>[0], 'signer' | 'log'>>;

function openOutputStore(root: string, options: Options): OutputStore {
  const store = createDiskStore(join(root, 'store'));
  const tempFolder = join(root, 'temp');
  const logged: object[] = [];
  const storeOutput = createStoreOutput({
    store,
    tempFolder,
    maxOutputBytes,
    log: { warn: (fields) => logged.push(fields) },
    ...options,
  });
  const { signal } = new AbortController();
  return {
    store,
    root,
    logged,
    storeOutput,
    async finish(bytes, format) {
      const type = format.startsWith('video/') ? 'video' : 'image';
      const key = 'outputs/gen_a/0.bin';
      const read = async () => bytes;
      const wanted = { accountId: 'acct_1', type, format } as const;
      const stored = await storeOutput(key, { read }, wanted, signal);
      const found = await store.open(key);
      const file = found ? await buffer(found.stream) : Buffer.alloc(0);
      expect(stored).toMatchObject({ mediaType: format, bytes: file.length });
      expect(found?.contentType).toBe(format);
      expect(await readdir(tempFolder)).toEqual([]);
      return file;
    },
  };
}

/** A picture that names its maker wherever possible. */
export const pictureWithMetadata = (format: 'png' | 'jpeg' | 'webp') =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#b52' } })
    .withExif({ IFD0: { Software: 'Secretvendor 9', Artist: 'Secretvendor' } })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><Secretvendor/></x:xmpmeta>')
    .withIccProfile('p3')
    .toFormat(format)
    .toBuffer();
