import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import { minuteMs, sum } from '@framegate/contract';
import { createDiskStore } from '../src/diskStore.ts';
import { createPosterMaker } from '../src/makePosters.ts';
import type { MediaStore } from '../src/mediaStore.ts';
import { createStoreOutput } from '../src/storeOutput.ts';
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
  posterKey: (outputKey: string) => outputKey.replace('outputs/', `posters_${width}/`),
}));
const makerFor = (
  to: MediaStore,
  log: { warn(fields: object, message: string): void },
  types: readonly ('image' | 'video')[] = ['image', 'video'],
) =>
  createPosterMaker(
    {
      store: to,
      log,
      tempFolder: join(root, 'temp'),
      maxPixels: 1_000_000,
      maxBytes: maxOutputBytes,
    },
    { types, sizes },
    minuteMs,
  );
/** Stores a result. @returns Its record, its posters, and the log lines. */
async function take(
  bytes: Uint8Array,
  format: string,
  to: MediaStore = store,
  types?: readonly ('image' | 'video')[],
) {
  const lines: string[] = [];
  const log = { warn: (_: object, message: string) => void lines.push(message) };
  const storeOutput = createStoreOutput({
    store: to,
    tempFolder: join(root, 'temp'),
    maxOutputBytes,
    log,
    // Longer than in production, because the test is not about speed.
    posters: makerFor(to, log, types),
  });
  const type = format.startsWith('video/') ? 'video' : 'image';
  for (const { posterKey } of sizes) await store.delete(posterKey(key));
  const wanted = { accountId: 'acct_1', type, format } as const;
  const stored = await storeOutput(key, { read: async () => bytes }, wanted, signal);
  expect(await readdir(join(root, 'temp'))).toEqual([]);
  const posters: (Buffer | null)[] = [];
  for (const { posterKey } of sizes) {
    const found = await store.open(posterKey(key));
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
    expect(stored.hasPoster).toBe(true);
    // Not larger than the video.
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
    expect(sum(off) / off.length).toBeLessThan(20);
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
    expect(stored.hasPoster).toBe(true);
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

describe('a picture with posters has the pixels that it has without', () => {
  const drawn = (channels: 3 | 4) =>
    sharp(Buffer.from(Array.from({ length: 40 * 30 * channels }, (_, at) => (at * 37) % 256)), {
      raw: { width: 40, height: 30, channels },
    });
  test.each<[string, () => Sharp]>([
    ['grey', () => drawn(3).toColourspace('b-w').png()],
    ['grey with transparency', () => drawn(4).toColourspace('b-w').png()],
    ['transparent', () => drawn(4).png()],
    ['of a palette', () => drawn(3).png({ palette: true, colours: 8 })],
    ['of 16 bits', () => drawn(3).toColourspace('rgb16').png()],
    ['for print', () => drawn(3).toColourspace('cmyk').jpeg()],
    ['on its side', () => drawn(3).withMetadata({ orientation: 6 }).jpeg()],
    ['with a profile', () => drawn(3).withIccProfile('p3').png()],
  ])('%s', async (_, source) => {
    const bytes = await source().toBuffer();
    await take(bytes, 'image/png');
    const read = async () => {
      const { stream } = (await store.open(key)) ?? {};
      const { data, info } = await sharp(stream && (await buffer(stream)))
        .raw()
        .toBuffer({ resolveWithObject: true });
      return { data, size: [info.width, info.height, info.channels] };
    };
    const withPosters = await read();
    await take(bytes, 'image/png', store, ['video']);
    expect(withPosters).toEqual(await read());
  });

  test('too large to stay in memory', async () => {
    const background = '#357';
    const large = sharp({ create: { width: 5_000, height: 4_100, channels: 3, background } });
    const { stored, posters } = await take(await large.png().toBuffer(), 'image/png');
    expect(stored).toMatchObject({ hasPoster: true, measures: { width: 5_000, height: 4_100 } });
    expect((await sharp(posters[1] ?? undefined).metadata()).height).toBe(787);
  });
});

test('results that wait come before posters of others, which are missed', async () => {
  const lines: string[] = [];
  const log = {
    warn: ({ error }: { error?: unknown }) => void lines.push(String(error)),
  };
  const storeOutput = createStoreOutput({
    store,
    tempFolder: join(root, 'burst'),
    maxOutputBytes,
    log,
    posters: makerFor(store, log),
  });
  const source = await sharp({
    create: { width: 60, height: 40, channels: 3, background: '#b52' },
  })
    .png()
    .toBuffer();
  const wanted = { accountId: 'acct_1', type: 'image', format: 'image/png' } as const;
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      storeOutput(`outputs/gen_${at}/0.png`, { read: async () => source }, wanted, signal),
    ),
  );
  const missed = results.filter(({ hasPoster: poster }) => poster === undefined).length;
  expect(missed).toBeGreaterThan(0);
  expect(missed).toBeLessThan(results.length);
  expect(lines).toEqual(Array(missed).fill('Error: too many results at once'));
});

describe('a result without a poster is still delivered', () => {
  test('when the decoder does not know its video', async () => {
    const { stored, posters, lines } = await take(await video('hevc'), 'video/mp4');
    expect([stored.mediaType, stored.hasPoster, posters]).toEqual([
      'video/mp4',
      undefined,
      [null, null],
    ]);
    expect(lines).toEqual(['result has no poster']);
  });

  test('when the store has no room for it', async () => {
    const full: MediaStore = {
      ...store,
      put: async (at, ...more) => {
        if (at.startsWith('posters')) throw new Error('the disk is full');
        return store.put(at, ...more);
      },
    };
    const file = await video('avc');
    const { stored, lines } = await take(file, 'video/mp4', full);
    expect([stored.mediaType, stored.hasPoster]).toEqual(['video/mp4', undefined]);
    expect(lines).toEqual(['result has no poster']);
  });
});

test('missed posters are made from the stored file, and distinguished from impossible ones', async () => {
  const lines: string[] = [];
  const maker = makerFor(store, { warn: (_, message) => void lines.push(message) });
  await take(await video('avc'), 'video/mp4');
  for (const { posterKey } of sizes) await store.delete(posterKey(key));
  expect(await maker.make(key, 'video', signal)).toBe('made');
  for (const { posterKey } of sizes) {
    expect((await store.stat(posterKey(key)))?.bytes).toBeGreaterThan(50);
  }
  expect(await readdir(join(root, 'temp'))).toEqual([]);
  expect(lines).toEqual([]);
  await take(await video('hevc'), 'video/mp4');
  expect(await maker.make(key, 'video', signal)).toBe('impossible');
  expect(await maker.make('outputs/gen_none/0.mp4', 'video', signal)).toBe('impossible');
  expect(await maker.make(key, 'video', AbortSignal.abort())).toBe('missed');
  expect(lines).toHaveLength(3);
});
