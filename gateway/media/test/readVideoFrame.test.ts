import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readVideoFrame } from '../src/readVideoFrame.ts';
import { encodeStripes, mux } from './makeMedia.ts';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'framegate-frames-'));
});
afterAll(() => rm(root, { recursive: true }));

/** The grey of each row at a picture's right edge, from 0 to 255. */
async function rowsOf(path: string, which: 'first' | 'last'): Promise<number[]> {
  const frame = (await readVideoFrame(path, which)).greyscale().raw();
  const { data, info } = await frame.toBuffer({ resolveWithObject: true });
  return Array.from({ length: info.height }, (_, row) => data[(row + 1) * info.width - 1] ?? 0);
}

/** Luma from 16 to 235 as grey. */
const grey = (luma: number) => Math.min(255, Math.max(0, ((luma - 16) * 255) / 219));
const off = (rows: number[], luma: (row: number) => number) =>
  rows.reduce((sum, value, row) => sum + Math.abs(value - grey(luma(row))), 0) / rows.length;

test.each([
  ['avc', 'mp4'],
  ['avc high', 'mp4'],
  ['avc', 'mov'],
] as const)('the first and last frame of a video: %s in %s', async (codec, container) => {
  const path = join(root, `${codec}.${container}`);
  // The last key frame is the 25th picture of 36.
  const packets = await encodeStripes(codec, 1.5);
  await writeFile(path, await mux(container, { video: { codec: 'avc', packets } }));
  const stripes = (frame: number) => (row: number) => ((row + frame) * 8) % 255;
  expect(off(await rowsOf(path, 'first'), stripes(0))).toBeLessThan(12);
  const last = await rowsOf(path, 'last');
  expect(off(last, stripes(35))).toBeLessThan(12);
  expect(off(last, stripes(34))).toBeGreaterThan(12);
});

/*
 * 30 pictures by x264, each lighter than the previous (luma 20 + 6 n): stored in another order than shown, some in
 * pyramids, and with groups that begin with pictures of the previous group.
 */
test.each(['reordered', 'openGroups'])('the last visible frame is read: %s', async (name) => {
  const path = fileURLToPath(new URL(`${name}.mp4`, import.meta.url));
  expect(off(await rowsOf(path, 'first'), () => 20)).toBeLessThan(3);
  expect(off(await rowsOf(path, 'last'), () => 20 + 6 * 29)).toBeLessThan(3);
});

test('a video in another codec has none', async () => {
  const path = join(root, 'hevc.mp4');
  const packets = await encodeStripes('hevc', 0.5);
  await writeFile(path, await mux('mp4', { video: { codec: 'hevc', packets } }));
  await expect(readVideoFrame(path, 'last')).rejects.toThrow('not H.264');
});
