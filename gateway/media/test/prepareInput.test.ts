import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import { createDiskStore } from '../src/diskStore.ts';
import type { MediaStore } from '../src/mediaStore.ts';
import { createStoreUpload } from '../src/storeUpload.ts';
import { stripImage } from '../src/stripImage.ts';
import { createTakeInputs } from '../src/takeInputs.ts';
import { box, ints } from './hostileFiles.ts';
import { decodeFrames, encodeStripes, mux, type Packet } from './makeMedia.ts';
import { pictureWithMetadata } from './outputStore.ts';
import { phoneFilms, secret, traces } from './phoneFiles.ts';

/* The form in which a provider gets a customer's file, by every way in. */

const fileLimits = {
  image: { maxBytes: 20_000_000, maxPixels: 40_000_000 },
  video: { maxBytes: 50_000_000, maxSeconds: 15 },
  audio: { maxBytes: 15_000_000, maxSeconds: 15 },
};
const { signal } = new AbortController();
let root = '';
let store: MediaStore;
let stripes: Packet[];
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'framegate-prepare-'));
  store = createDiskStore(join(root, 'store'));
  stripes = await encodeStripes('avc', 1);
});
afterAll(() => rm(root, { recursive: true }));

type Type = 'image' | 'video' | 'audio';

async function stored(key: string): Promise<Buffer> {
  const found = await store.open(key);
  if (!found) throw new Error(`no ${key}`);
  return buffer(found.stream);
}

/** A file by its URL. */
async function byUrl(type: Type, bytes: Uint8Array) {
  const take = createTakeInputs({
    store,
    fileLimits,
    fetchUrl: async () => Readable.from([bytes]),
    inputKey: ({ extension }) => `inputs/gen_a/0.${extension}`,
    tempFolder: join(root, 'temp'),
  });
  const of = { id: 'gen_a', accountId: 'acct_1' };
  const taken = await take(of, [{ type, url: 'https://a.example/a', storeKey: null }], signal);
  if (!taken.ok) throw new Error(JSON.stringify(taken));
  const [{ key, ...rest } = { key: '' }] = taken.stored;
  const file = await stored(key);
  expect(rest).toMatchObject({
    bytes: file.length,
    sha256: createHash('sha256').update(file).digest('hex'),
  });
  return file;
}

/** A file submitted to the studio. */
async function byUpload(type: Type, bytes: Uint8Array) {
  const take = createStoreUpload({
    store,
    fileLimits,
    tempFolder: join(root, 'temp'),
    decodesVideo: false,
  });
  let key = '';
  const note: Parameters<typeof take>[2] = async ({ extension }) => {
    key = `uploads/upl_a/0.${String(extension)}`;
    return { key, previewKey: null };
  };
  const of = { accountId: 'acct_1', type, keep: 'file' } as const;
  expect(await take(of, Readable.from([bytes]), note, signal)).toEqual({ ok: true });
  return stored(key);
}

const doors = [
  ['by its URL', byUrl],
  ['as an upload', byUpload],
] as const;

const plain = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: '#b52' } });
const pixels = (file: Uint8Array) =>
  sharp(file).autoOrient().toColourspace('srgb').raw().toBuffer();
const formats = ['jpeg', 'png', 'webp'] as const;

describe.each(doors)('a picture %s', (_, give) => {
  test.each(formats)(
    'in sRGB and upright, as %s, stays as it is, byte for byte',
    async (format) => {
      const bytes = await plain().toFormat(format).toBuffer();
      expect(await give('image', bytes)).toEqual(bytes);
    },
  );

  test.each(formats)('loses its metadata and no pixel, as %s', async (format) => {
    const bytes = await plain()
      .withExif({
        IFD0: { Make: secret, Software: secret },
        IFD3: { GPSLatitude: '52/1 30/1 0/1' },
      })
      .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><${secret}/></x:xmpmeta>`)
      .withIccProfile('srgb')
      .toFormat(format)
      .toBuffer();
    const kept = await give('image', bytes);
    const { exif, xmp, icc } = await sharp(kept).metadata();
    expect({ exif, xmp, icc }).toEqual({});
    expect(kept.length).toBeLessThan(bytes.length);
    expect(await pixels(kept)).toEqual(await pixels(bytes));
  });

  const turned: [string, () => Sharp][] = formats.flatMap((format) => [
    [`turned ${format}`, () => plain().withMetadata({ orientation: 6 }).toFormat(format)],
    [`${format} with wide colours`, () => plain().withIccProfile('p3').toFormat(format)],
  ]);
  test.each([
    ...turned,
    ['CMYK', () => plain().toColourspace('cmyk').withIccProfile('cmyk').jpeg()],
    ['a PNG of 16 bits', () => plain().toColourspace('rgb16').png()],
  ] as [string, () => Sharp][])(
    'comes out upright, in sRGB with 8 bits: %s',
    async (_name, make) => {
      const bytes = await make().toBuffer();
      const kept = await give('image', bytes);
      const { orientation, space, depth, icc, width, height } = await sharp(kept).metadata();
      expect({ orientation, space, depth, icc }).toEqual({ space: 'srgb', depth: 'uchar' });
      expect({ width, height }).toEqual((await sharp(bytes).metadata()).autoOrient);
      const [is, was] = [await pixels(kept), await pixels(bytes)];
      expect(is).toHaveLength(was.length);
      expect(
        Math.max(...is.map((value, place) => Math.abs(value - (was[place] ?? 0)))),
      ).toBeLessThan(8);
    },
  );
});

describe.each(doors)('a video or audio file %s', (_, give) => {
  test.each(phoneFilms)(
    'reveals neither person, place nor device: %s',
    async (name, type, make) => {
      const bytes = await make();
      expect(bytes.includes(secret)).toBe(true);
      const kept = await give(type, bytes);
      expect(traces(kept)).toEqual([]);
      if (name.startsWith('a MOV')) expect(kept.toString('latin1', 8, 12)).toBe('qt  ');
      if (name === 'an MP4') expect(await decodeFrames(kept)).toEqual(await decodeFrames(bytes));
      // Nothing is left to remove, so that an input that is used again is the same.
      expect(await give(type, kept)).toEqual(kept);
    },
  );
});

test('a video with an ill-fitting box is repaired like a result, and loses its metadata', async () => {
  const made = await mux('mp4, moov last', { video: { codec: 'avc', packets: stripes } });
  const at = made.lastIndexOf('moov') - 4;
  const moov = box('moov', made.subarray(at + 8), box('udta', Buffer.from(secret)));
  const odd = Buffer.concat([ints(4), Buffer.from(`oddb${secret}`)]);
  const kept = await byUrl('video', Buffer.concat([made.subarray(0, at), moov, odd]));
  expect(kept.includes(secret)).toBe(false);
  expect(kept.indexOf('moov')).toBeLessThan(kept.indexOf('mdat'));
  expect(await decodeFrames(kept)).toEqual(await decodeFrames(made));
});

describe('removal from a picture', () => {
  const word = fc.string({ unit: 'grapheme-ascii', minLength: 0, maxLength: 300 });
  const extras = fc.array(fc.tuple(fc.nat(), word), { maxLength: 5 });

  const segment = (marker: number, text: Buffer) => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(text.length + 2, 2);
    return Buffer.concat([head, text]);
  };
  const chunk = (type: string, text: Buffer) => {
    const [size, name] = [ints(text.length), Buffer.from(type)];
    // Readers ignore the check of a chunk that they do not know.
    return Buffer.concat([size, name, text, ints(0)]);
  };
  const riff = (type: string, text: Buffer) => {
    const size = Buffer.alloc(4);
    size.writeUInt32LE(text.length);
    return Buffer.concat([Buffer.from(type), size, text, Buffer.alloc(text.length & 1)]);
  };
  /** Files with texts where other programs write them. */
  const writers = {
    jpeg: (file: Buffer, more: Buffer[]) => [
      file.subarray(0, 2),
      ...more.map((text, index) =>
        segment([0xe1, 0xe2, 0xed, 0xeb, 0xfe][index % 5] ?? 0xfe, text),
      ),
      file.subarray(2),
    ],
    png: (file: Buffer, more: Buffer[]) => [
      file.subarray(0, 33),
      ...more.map((text, index) => chunk(['tEXt', 'caBX', 'prVt'][index % 3] ?? '', text)),
      file.subarray(33),
    ],
    webp: (file: Buffer, more: Buffer[]) => {
      const all = [
        file,
        ...more.map((text, index) => riff(['EXIF', 'XMP ', 'C2PA'][index % 3] ?? '', text)),
      ];
      const made = Buffer.concat(all);
      made.writeUInt32LE(made.length - 8, 4);
      return [made];
    },
  };

  test.each(formats)('%s: covers every addition, anywhere, and no pixel', async (format) => {
    const original = await plain(17, 9).toFormat(format).toBuffer();
    await fc.assert(
      fc.asyncProperty(extras, word, async (added, after) => {
        const texts = added.map(([, text]) => Buffer.from(secret + text));
        const trailer = Buffer.from(secret + after);
        const given = Buffer.concat([...writers[format](original, texts), trailer]);
        const kept = stripImage(given, `image/${format}`);
        expect(kept).toEqual(original);
      }),
      { numRuns: 60 },
    );
  });

  test('keeps all scans and restarts of a JPEG', async () => {
    const noise = { type: 'gaussian', mean: 120, sigma: 60 } as const;
    const create = { width: 300, height: 200, channels: 3, background: '#000', noise } as const;
    for (const progressive of [true, false]) {
      const bytes = await sharp({ create }).jpeg({ progressive }).toBuffer();
      expect(stripImage(Buffer.concat([bytes, Buffer.from(secret)]), 'image/jpeg')).toEqual(bytes);
    }
  });

  test('covers the maker in every place where a library writes it', async () => {
    for (const format of formats) {
      expect((await byUrl('image', await pictureWithMetadata(format))).includes(secret)).toBe(
        false,
      );
    }
  });
});
