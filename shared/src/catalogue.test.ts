import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { catalogue, findModel } from './catalogue.ts';
import type { ImageModel, VideoModel } from './model.ts';

const t = 'text-to-video';
const i = 'image-to-video';
const m = 'multimodal-to-video';

/** Design section 5, row by row. */
const videos = [
  [
    'alpha-2.5',
    [t, i, m],
    [4, 15, 5],
    true,
    [9, 3, 3],
    { '480p': 8, '720p': 16, '1080p': 36 },
    5000,
  ],
  ['alpha-2.5-lite', [t, i], [4, 12, 5], true, [2, 0, 0], { '480p': 4, '720p': 8 }, 2500],
  [
    'alpha-2.0-pro',
    [t, i, m],
    [4, 15, 5],
    true,
    [9, 3, 3],
    { '480p': 7, '720p': 14, '1080p': 32 },
    3500,
  ],
  ['alpha-2.0-fast', [t, i, m], [4, 15, 5], true, [9, 3, 3], { '480p': 5, '720p': 10 }, 3500],
  ['alpha-2.0-mini', [t, i, m], [4, 10, 5], false, [4, 1, 1], { '480p': 3, '720p': 6 }, 3500],
  ['beta-3.0', [t, i], [3, 15, 5], true, [2, 0, 0], { '720p': 15, '1080p': 25, '2160p': 60 }, 2500],
] as const;
const images = [
  ['image-a-2', 4, { '1k': 8, '2k': 16 }, 2500],
  ['image-b-2', 9, { '1k': 6, '2k': 9, '4k': 18 }, 5000],
  ['image-b-pro', 9, { '1k': 12, '2k': 18, '4k': 36 }, 5000],
] as const;

describe('the catalogue', () => {
  test('has the nine models in the order of the specification', () => {
    expect(catalogue.map((model) => model.id)).toEqual([
      ...videos.map(([id]) => id),
      ...images.map(([id]) => id),
    ]);
  });

  test.each(videos)('%s is as designed', (id, modes, seconds, audio, counts, prices, prompt) => {
    const model = findModel(id) as VideoModel;
    expect(model.type).toBe('video');
    expect(model.modes).toEqual(modes);
    expect(model.duration).toEqual({ min: seconds[0], max: seconds[1], default: seconds[2] });
    expect(model.generateAudio).toBe(audio);
    const { image, video, audio: sound } = model.inputs;
    expect([image.maxCount, video.maxCount, sound.maxCount]).toEqual(counts);
    expect(model.creditsPerSecond).toEqual(prices);
    expect(model.resolutions).toEqual(Object.keys(prices));
    expect(model.maxPromptLength).toBe(prompt);
    expect(model.defaults).toEqual({
      resolution: '720p',
      aspectRatio: '16:9',
      generateAudio: false,
    });
    expect(model.maxSeconds).toBe(3600);
  });

  test.each(images)('%s is as designed', (id, inputs, prices, prompt) => {
    const model = findModel(id) as ImageModel;
    expect(model.type).toBe('image');
    const { image, video, audio } = model.inputs;
    expect([image.maxCount, video.maxCount, audio.maxCount]).toEqual([inputs, 0, 0]);
    expect(model.creditsPerImage).toEqual(prices);
    expect(model.resolutions).toEqual(Object.keys(prices));
    expect(model.n).toEqual({ min: 1, max: 4 });
    expect(model.maxPromptLength).toBe(prompt);
    expect(model.maxSeconds).toBe(600);
  });

  test('allows real-person mode for three models, in the two input modes only', () => {
    const allowed = catalogue.filter(
      (model) => 'realPersonModes' in model && model.realPersonModes.length > 0,
    );
    expect(allowed.map((model) => model.id)).toEqual([
      'alpha-2.0-pro',
      'alpha-2.0-fast',
      'alpha-2.0-mini',
    ]);
    for (const model of allowed) expect((model as VideoModel).realPersonModes).toEqual([i, m]);
  });

  test.each(catalogue)('$id: its defaults are among what it offers', (model) => {
    expect(model.resolutions).toContain(model.defaults.resolution);
    expect(model.aspectRatios).toContain(model.defaults.aspectRatio);
    expect(model.typicalSeconds).toBeLessThan(model.maxSeconds);
  });

  test('finds nothing by a name that it does not know', () => {
    expect(findModel('alpha-9')).toBeUndefined();
    expect(findModel('constructor')).toBeUndefined();
  });
});

test('what the contract exports depends on no package', () => {
  const start = fileURLToPath(new URL('./index.ts', import.meta.url));
  const seen = new Set<string>();
  const waiting = [start];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const folder = dirname(file);
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(/ from '([^']+)'/g)) {
      expect(specifier).toMatch(/^\.\/\w+\.ts$/);
      waiting.push(resolve(folder, specifier));
    }
  }
  expect(seen.size).toBeGreaterThan(5);
});
