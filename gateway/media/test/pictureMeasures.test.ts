import { glob, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { encodeStripes, encodeTone, mux, type Packet } from './makeMedia.ts';
import { useOutputStore } from './outputStore.ts';

const outputs = useOutputStore();
let files = 0;

/** The measures of a provider's file. */
async function look(bytes: Uint8Array, type: 'video' | 'image' = 'video') {
  const format = type === 'video' ? 'video/mp4' : 'image/png';
  const wanted = { accountId: 'acct_1', type, format };
  const key = `outputs/gen_${(files += 1)}/0.${format.replace(/^.*\//, '')}`;
  const output = { read: async () => bytes };
  const never = new AbortController().signal;
  return (await outputs().storeOutput(key, output, wanted, never)).measures;
}

const size = [640, 360] as const;
const black = () => 16;
const stripes = (row: number) => (row * 3) % 200;

test.each<[string, 'avc' | 'avc high', (row: number, frame: number) => number, object]>([
  ['a black film', 'avc', black, { look: 'flat' }],
  ['a white film', 'avc high', () => 235, { look: 'flat' }],
  ['a film that never moves', 'avc', stripes, { look: 'still' }],
])('%s is recognised', async (_name, codec, brightness, expected) => {
  const packets = await encodeStripes(codec, 2, size, brightness);
  expect(await look(await mux('mp4', { video: { codec: 'avc', packets } }))).toMatchObject({
    ...expected,
    framesPerSecond: 24,
  });
});

test.each<[string, (row: number, frame: number) => number]>([
  ['moves', (row, frame) => ((row + frame) * 8) % 255],
  [
    'fades in from black and then rests',
    (row, frame) => (frame < 24 ? (stripes(row) * frame) / 24 : stripes(row)),
  ],
  ['fades from black to white', (_row, frame) => Math.min(235, 16 + frame * 10)],
  ['moves in a small part', (row, frame) => (row < 16 ? frame * 4 : 90)],
  ['moves for a moment', (row, frame) => (frame === 30 && row < 32 ? 200 : stripes(row))],
  ['is nearly one colour', (row) => (row < 8 ? 40 : 16)],
])('a video that %s is not flat', async (_name, brightness) => {
  const packets = await encodeStripes('avc', 2, size, brightness);
  const found = await look(await mux('mp4', { video: { codec: 'avc', packets } }));
  expect(found).not.toMatchObject({ look: 'flat' });
  if (_name !== 'is nearly one colour') expect(found).not.toHaveProperty('look');
});

test.each<['aac' | 'mp3' | 'pcm-s16', number, boolean]>([
  ['aac', 0, true],
  ['mp3', 0, true],
  ['aac', 1, false],
  ['mp3', 1, false],
  // As quiet as a whisper in another room.
  ['aac', 0.001, false],
])('sound in %s of amplitude %f: silent is %s', async (codec, amplitude, isSilent) => {
  const video = { codec: 'avc' as const, packets: await encodeStripes('avc', 2) };
  const packets = await encodeTone(codec, 2, amplitude);
  const found = await look(await mux('mp4', { video, audio: { codec, packets } }));
  expect(found).toMatchObject({ sound: true, isSilent });
  expect(found.soundSeconds).toBeCloseTo(2, 0);
});

test('sound that begins late is sound, and a track that ends early is short', async () => {
  const video = { codec: 'avc' as const, packets: await encodeStripes('avc', 4) };
  const shifted = (all: Packet[], by: number) =>
    all.map((each) => ({ ...each, timestamp: each.timestamp + by }));
  const silent = await encodeTone('aac', 2, 0);
  const end = (silent.at(-1)?.timestamp ?? 0) + (silent.at(-1)?.duration ?? 0);
  const late = [...silent, ...shifted(await encodeTone('aac', 1), end)];
  const found = await look(await mux('mp4', { video, audio: { codec: 'aac', packets: late } }));
  expect(found).toMatchObject({ isSilent: false });
  const short = await encodeTone('aac', 1);
  const brief = await look(await mux('mp4', { video, audio: { codec: 'aac', packets: short } }));
  expect(brief.soundSeconds).toBeCloseTo(1, 0);
});

test('pictures are flat only in one colour, and equal only pixel for pixel', async () => {
  const background = { r: 250, g: 250, b: 250 };
  const white = sharp({ create: { width: 512, height: 512, channels: 3, background } });
  const dot = await sharp({
    create: { width: 3, height: 3, channels: 3, background: { r: 0, g: 0, b: 0 } },
  })
    .png()
    .toBuffer();
  const [png, webp] = [await white.clone().png().toBuffer(), await white.clone().webp().toBuffer()];
  const dotted = await white
    .clone()
    .composite([{ input: dot, left: 500, top: 500 }])
    .png()
    .toBuffer();
  const [one, again, other] = [
    await look(png, 'image'),
    await look(webp, 'image'),
    await look(dotted, 'image'),
  ];
  expect([one.look, again.look, other.look]).toEqual(['flat', 'flat', undefined]);
  expect(one.pixels).toBe(again.pixels);
  expect(other.pixels).not.toBe(one.pixels);
});

test('no file of this project is silent, flat or still', async () => {
  const root = join(import.meta.dirname, '../../..');
  const found: string[] = [];
  const all = glob('{docs,gateway,integrations,test}/**/*.{mp4,png,jpg,webp}', {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  });
  const types: Record<string, number> = {};
  for await (const path of all) {
    const extension = extname(path);
    const measured = await look(
      await readFile(join(root, path)),
      extension === '.mp4' ? 'video' : 'image',
    );
    types[extension] = (types[extension] ?? 0) + 1;
    if (measured.look || measured.isSilent) found.push(path);
  }
  expect(found).toEqual([]);
  expect(types['.mp4']).toBeGreaterThanOrEqual(3);
  expect(Object.values(types).reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(30);
});
