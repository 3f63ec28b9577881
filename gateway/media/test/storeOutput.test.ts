import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { TransferError } from '@framegate/limits';
import { digitalSourceType } from '../src/aiMark.ts';
import { InvalidOutputError } from '../src/mediaErrors.ts';
import { encodeStripes, mux } from './makeMedia.ts';
import { pictureWithMetadata, useOutputStore } from './outputStore.ts';

const outputs = useOutputStore();
const finish = (bytes: Uint8Array, format: string) => outputs().finish(bytes, format);

describe('a picture', () => {
  const formats = ['png', 'jpeg', 'webp'] as const;
  const pairs = formats.flatMap((from) => formats.map((to) => [from, to] as const));

  test.each(pairs)('from %s to %s: pixels and our mark, nothing else', async (from, to) => {
    const source = await pictureWithMetadata(from);
    expect(source.includes('Secretvendor')).toBe(true);
    const made = await finish(source, `image/${to}`);
    expect(made.includes('Secretvendor')).toBe(false);
    const { format, width, height, exif, icc, iptc, xmpAsString } = await sharp(made).metadata();
    expect([format, width, height, exif, icc, iptc]).toEqual([
      to,
      60,
      40,
      undefined,
      undefined,
      undefined,
    ]);
    expect(xmpAsString).toContain(`<Iptc4xmpExt:DigitalSourceType>${digitalSourceType}<`);
    expect(xmpAsString).toContain('AI-generated');
  });

  test('is upright, as its orientation said', async () => {
    const turned = sharp({ create: { width: 60, height: 40, channels: 3, background: '#b52' } });
    const source = await turned.withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { width, height } = await sharp(await finish(source, 'image/png')).metadata();
    expect([width, height]).toEqual([40, 60]);
  });

  test('keeps its colours and transparency', async () => {
    const clear = { r: 200, g: 100, b: 50, alpha: 0.5 };
    const drawn = sharp({ create: { width: 8, height: 8, channels: 4, background: clear } });
    const made = await finish(await drawn.png().toBuffer(), 'image/png');
    const pixel = (await sharp(made).raw().toBuffer()).subarray(0, 4);
    expect([...pixel]).toEqual([200, 100, 50, 128]);
  });

  test.each([4, 2] as const)('loses its transparency on white: %i channels', async (channels) => {
    // Half of it is clear, with black below.
    const pixels = Buffer.alloc(16 * 16 * channels, 0);
    for (let at = channels - 1; at < pixels.length / 2; at += channels) pixels[at] = 255;
    const raw = { width: 16, height: 16, channels };
    const source = await sharp(pixels, { raw }).png().toBuffer();
    const made = await finish(source, 'image/jpeg');
    const { data } = await sharp(made).greyscale().raw().toBuffer({ resolveWithObject: true });
    expect(data[0]).toBeLessThan(10);
    expect(data.at(-1)).toBeGreaterThan(245);
  });

  test.each<[string, () => Promise<Buffer>]>([
    [
      'a film',
      async () => mux('mp4', { video: { codec: 'avc', packets: await encodeStripes('avc', 1) } }),
    ],
    ['a web page', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['one cut short', async () => (await pictureWithMetadata('png')).subarray(0, 300)],
  ])('%s is not one', async (_, bytes) => {
    await expect(finish(await bytes(), 'image/png')).rejects.toBeInstanceOf(InvalidOutputError);
  });
});

test('accounts take turns: one with many outputs does not hold up others', async () => {
  const bytes = await pictureWithMetadata('png');
  const ended: string[] = [];
  const storeFor = async (accountId: string, index: number) => {
    const key = `outputs/gen_${accountId}/${index}.png`;
    const wanted = { accountId, type: 'image', format: 'image/png' } as const;
    const { signal } = new AbortController();
    await outputs().storeOutput(key, { read: async () => bytes }, wanted, signal);
    ended.push(accountId);
    await outputs().store.delete(key);
  };
  const many = Array.from({ length: 8 }, (_, index) => storeFor('many', index));
  await Promise.all([...many, storeFor('one', 0)]);
  expect(ended.indexOf('one')).toBeLessThan(5);
});

describe('reading it', () => {
  const { signal } = new AbortController();
  const wanted = { accountId: 'acct_1', type: 'image', format: 'image/png' } as const;
  const key = 'outputs/gen_none/0.png';

  test('in pieces', async () => {
    const bytes = await pictureWithMetadata('png');
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100);
    }
    const read = async () => pieces();
    expect(await outputs().storeOutput(key, { read }, wanted, signal)).toMatchObject({
      mediaType: 'image/png',
    });
    await outputs().store.delete(key);
  });

  test('rethrows errors of reading, and stores nothing', async () => {
    const error = new Error('reset');
    const read = async () => Promise.reject(error);
    await expect(outputs().storeOutput(key, { read }, wanted, signal)).rejects.toBe(error);
    expect(await outputs().store.stat(key)).toBeNull();
  });

  test('refuses an endless one as too large', async () => {
    async function* endless() {
      for (;;) yield Buffer.alloc(8_000_000);
    }
    const read = async () => endless();
    const failure = outputs().storeOutput(key, { read }, wanted, signal);
    await expect(failure).rejects.toBeInstanceOf(TransferError);
    expect(await outputs().store.stat(key)).toBeNull();
  });
});
