import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { useOutputStore } from '../../gateway/media/test/outputStore.ts';
import { findFfprobe } from '../support/tools.ts';
import { fetchRealFiles } from './realFiles.ts';

const outputs = useOutputStore();
const { films, pictures, ffmpeg } = await fetchRealFiles();
const run = promisify(execFile);
const options = { maxBuffer: 100_000_000 } as const;
const compared = { frames: 0, sounds: 0, pictures: 0 };

/** The time and the digest of every decoded frame of a stream, of sound without its last packet. */
async function decode(path: string, stream: 'v' | 'a'): Promise<string[]> {
  const flags = ['-v', 'error', '-nostdin', '-i', path, '-map', `0:${stream}:0?`];
  const copies = stream === 'v' ? ['-fps_mode', 'passthrough'] : [];
  const args = [...flags, ...copies, '-f', 'framemd5', '-'];
  const { stdout, stderr } = await run(ffmpeg, args, options).catch((error: unknown) => {
    // A video without sound has no audio to decode.
    if (stream === 'a' && String(error).includes('does not contain any stream')) {
      return { stdout: '', stderr: '' };
    }
    throw error;
  });
  expect(stderr).toBe('');
  const rows = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const digests = rows.map((row) => (row.split(',').at(-1) ?? '').trim());
  // Matroska cannot state where the audio ends within its last packet.
  return stream === 'v' ? digests : digests.slice(0, -1);
}

const compareFields = [
  ...['codec_name', 'width', 'height', 'pix_fmt', 'field_order'],
  ...['color_range', 'color_space', 'color_transfer', 'color_primaries', 'r_frame_rate'],
  ...['channels', 'sample_rate'],
];

/** The width in square pixels: Matroska states it in place of a ratio. */
function shownWidthOf({ width, sample_aspect_ratio: ratio }: Record<string, unknown>): number {
  const [across = 1, down = 1] = typeof ratio === 'string' ? ratio.split(':').map(Number) : [];
  return Math.round((Number(width) * across) / down);
}

/** Sizes, colours, turn and rates of all streams, as another program reads them. */
async function propertiesOf(path: string): Promise<unknown[]> {
  const args = ['-v', 'error', '-show_streams', '-of', 'json', path];
  const { stdout } = await run(await findFfprobe(), args, options);
  const { streams } = JSON.parse(stdout) as {
    streams: (Record<string, unknown> & { side_data_list?: { rotation?: number }[] })[];
  };
  return streams.map((stream) => ({
    ...Object.fromEntries(compareFields.map((field) => [field, stream[field]])),
    shownWidth: shownWidthOf(stream),
    rotation: stream.side_data_list?.map(({ rotation }) => rotation),
  }));
}

/** Forms in which a provider may send a video, as ffmpeg's flags and the extension. */
const ways: Record<string, [extension: string, before: string[], after: string[]]> = {
  'as it is': ['mp4', [], []],
  'with its index in front': ['mp4', [], ['-movflags', '+faststart']],
  'in fragments': ['mp4', [], ['-movflags', '+frag_keyframe+empty_moov']],
  'as QuickTime, turned': ['mov', ['-display_rotation', '90'], []],
  'as Matroska': ['mkv', [], []],
};

const cases = films.flatMap((film) =>
  Object.keys(ways).map((way) => [basename(film), way, film] as const),
);

test.each(cases)('%s %s keeps every frame, sample, colour and turn', async (_, way, film) => {
  const [extension, before, after] = ways[way] ?? ['', [], []];
  const sent = join(outputs().root, `sent.${extension}`);
  const made = join(outputs().root, 'made.mp4');
  if (way === 'as it is') {
    await writeFile(sent, await readFile(film));
  } else {
    const copy = ['-map', '0:v:0', '-map', '0:a:0?', '-c', 'copy'];
    const flags = ['-v', 'error', '-nostdin', '-y'];
    await run(ffmpeg, [...flags, ...before, '-i', film, ...copy, ...after, sent], options);
  }
  await writeFile(made, await outputs().finish(await readFile(sent), 'video/mp4'));
  const [frames, sounds, ...sentOnes] = await Promise.all([
    decode(made, 'v'),
    decode(made, 'a'),
    decode(sent, 'v'),
    decode(sent, 'a'),
  ]);
  expect([frames, sounds]).toEqual(sentOnes);
  expect(frames.length).toBeGreaterThan(20);
  const properties = await propertiesOf(made);
  expect(properties).toEqual(await propertiesOf(sent));
  compared.frames += frames.length;
  compared.sounds += sounds.length;
});

test.each(pictures.map((picture) => [basename(picture), picture]))(
  '%s keeps its pixels',
  async (_, picture) => {
    const made = await outputs().finish(await readFile(picture), 'image/png');
    const { width, height, hasAlpha } = await sharp(made).metadata();
    const raw = ['-f', 'rawvideo', '-pix_fmt', hasAlpha ? 'rgba' : 'rgb24', '-'];
    const { stdout } = await run(ffmpeg, ['-v', 'error', '-nostdin', '-i', picture, ...raw], {
      ...options,
      encoding: 'buffer',
    });
    const pixels = await sharp(made).toColourspace('srgb').raw().toBuffer();
    expect(stdout).toHaveLength(width * height * (hasAlpha ? 4 : 3));
    expect(pixels).toHaveLength(stdout.length);
    let difference = 0;
    for (let at = 0; at < pixels.length; at += 1) {
      difference += Math.abs((pixels[at] ?? 0) - (stdout[at] ?? 0));
    }
    // Decoders of JPEG round differently.
    expect(difference / pixels.length).toBeLessThan(3);
    compared.pictures += 1;
  },
);

// A comparison of nothing would be equal.
afterAll(() => {
  expect(compared.frames).toBeGreaterThan(3_000);
  expect(compared.sounds).toBeGreaterThan(1_000);
  expect(compared.pictures).toBeGreaterThan(5);
});
