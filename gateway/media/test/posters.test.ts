import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { createDiskStore } from '../src/diskStore.ts';
import { createPosterMaker } from '../src/makePosters.ts';
import { createStoreOutput } from '../src/storeOutput.ts';
import type { MediaStore } from '../src/mediaStore.ts';
import { encodeStripes, mux } from './makeMedia.ts';
import { maxOutputBytes } from './outputStore.ts';

const { signal } = new AbortController();
let root = '';
let store: MediaStore;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'framegate-posters-'));
  store = createDiskStore(join(root, 'store'));
});
afterAll(() => rm(root, { recursive: true }));

const key = 'outputs/gen_a/0.bin';
const sizes = [320, 960].map((width) => ({
  width,
  keyOf: (outputKey: string) => outputKey.replace('outputs/', `posters_${width}/`),
}));
const makerFor = (to: MediaStore, log: { warn(fields: object, message: string): void }) =>
  createPosterMaker(
    {
      store: to,
      log,
      tempFolder: join(root, 'temp'),
      maxPixels: 1_000_000,
      maxBytes: maxOutputBytes,
    },
    { types: ['image', 'video'], sizes },
    60_000,
  );
/** Takes a result over. @returns its record, its posters, and the log lines. */
async function take(bytes: Uint8Array, format: string, to: MediaStore = store) {
  const lines: string[] = [];
  const log = { warn: (_: object, message: string) => void lines.push(message) };
  const storeOutput = createStoreOutput({
    store: to,
    tempFolder: join(root, 'temp'),
    maxOutputBytes,
    // Longer than in operation: the test is not about speed.
    posters: makerFor(to, log),
  });
  const type = format.startsWith('video/') ? 'video' : 'image';
  for (const { keyOf } of sizes) await store.delete(keyOf(key));
  const wanted = { accountId: 'acct_1', type, format } as const;
  const stored = await storeOutput(key, { read: async () => bytes }, wanted, signal);
  expect(await readdir(join(root, 'temp'))).toEqual([]);
  const posters: (Buffer | null)[] = [];
  for (const { keyOf } of sizes) {
    const found = await store.open(keyOf(key));
    posters.push(found && (await buffer(found.stream)));
  }
  return { stored, posters, lines };
}
const video = async (codec: 'avc' | 'avc high' | 'hevc') => {
  const packets = await encodeStripes(codec, 0.5);
  return mux('mp4', { video: { codec: codec === 'hevc' ? 'hevc' : 'avc', packets } });
};

describe('a poster', () => {
  test.each(['avc', 'avc high'] as const)('of a video is its first frame: %s', async (codec) => {
    const { stored, posters, lines } = await take(await video(codec), 'video/mp4');
    expect(lines).toEqual([]);
    expect(stored.poster).toBe(true);
    // Not larger than the video is.
    const { data, info } = await sharp(posters[0] ?? undefined)
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 160, height: 90 });
    // The stripes of makeMedia.ts, with luma from 16 to 235 as grey from 0 to 255.
    const off = Array.from({ length: 90 }, (_, row) => {
      const grey = Math.min(255, Math.max(0, ((((row * 8) % 255) - 16) * 255) / 219));
      return Math.abs((data[row * 160 + 80] ?? 0) - grey);
    });
    expect(off.reduce((sum, each) => sum + each, 0) / off.length).toBeLessThan(20);
  });

  test('of a picture comes in both widths, marked, with only the pixels of its source', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
    const source = await sharp({
      create: { width: 1600, height: 900, channels: 3, background: '#357', noise },
    })
      .withExif({ IFD0: { Artist: 'Secretvendor' } })
      .png()
      .toBuffer();
    const { stored, posters } = await take(source, 'image/png');
    expect(stored.poster).toBe(true);
    for (const [index, width] of [320, 960].entries()) {
      const file = posters[index] ?? Buffer.alloc(0);
      const { format, height, exif, icc, xmp, ...found } = await sharp(file).metadata();
      expect([format, found.width, height]).toEqual(['webp', width, (width * 9) / 16]);
      expect([exif, icc]).toEqual([undefined, undefined]);
      expect(xmp?.toString()).toContain('trainedAlgorithmicMedia');
      expect(file.includes('Secretvendor')).toBe(false);
    }
  });
});

describe('a result without a poster is still delivered', () => {
  test('a video that the decoder does not know', async () => {
    const { stored, posters, lines } = await take(await video('hevc'), 'video/mp4');
    expect([stored.mediaType, stored.poster, posters]).toEqual([
      'video/mp4',
      undefined,
      [null, null],
    ]);
    expect(lines).toEqual(['a result has no poster']);
  });

  test('a store without room for it', async () => {
    const full: MediaStore = {
      ...store,
      put: async (at, ...more) => {
        if (at.startsWith('posters')) throw new Error('the disk is full');
        return store.put(at, ...more);
      },
    };
    const file = await video('avc');
    const { stored, lines } = await take(file, 'video/mp4', full);
    expect([stored.mediaType, stored.poster]).toEqual(['video/mp4', undefined]);
    expect(lines).toEqual(['a result has no poster']);
  });
});

test('posters that were missed are made of the stored file, and told apart from impossible ones', async () => {
  const lines: string[] = [];
  const maker = makerFor(store, { warn: (_, message) => void lines.push(message) });
  await take(await video('avc'), 'video/mp4');
  for (const { keyOf } of sizes) await store.delete(keyOf(key));
  expect(await maker.make(key, 'video', signal)).toBe('made');
  for (const { keyOf } of sizes) expect((await store.stat(keyOf(key)))?.bytes).toBeGreaterThan(50);
  expect(await readdir(join(root, 'temp'))).toEqual([]);
  expect(lines).toEqual([]);
  await take(await video('hevc'), 'video/mp4');
  expect(await maker.make(key, 'video', signal)).toBe('impossible');
  expect(await maker.make('outputs/gen_none/0.mp4', 'video', signal)).toBe('impossible');
  expect(await maker.make(key, 'video', AbortSignal.abort())).toBe('missed');
  expect(lines).toHaveLength(3);
});
