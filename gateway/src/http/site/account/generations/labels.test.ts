import { expect, test } from '@jest/globals';
import { priceLabel } from './labels.ts';

const video = (duration_seconds: number, generate_audio: boolean) => ({
  duration_seconds,
  generate_audio,
  resolution: '480p' as const,
  aspect_ratio: '16:9' as const,
  seed: 1,
  real_person_mode: false,
});
const images = (n: number) => ({
  n,
  resolution: '2k' as const,
  aspect_ratio: '1:1' as const,
  output_format: 'png' as const,
  seed: 1,
});

test.each([
  [video(4, false), 28, '4 s × 7 credits (480p), no sound'],
  [video(5, true), 50, '5 s × 10 credits (480p), with sound'],
  [video(5, true), 51, null],
  [video(5, true), 0, null],
  [images(1), 6, '1 image × 6 credits (2k)'],
  [images(4), 5_000, '4 images × 1,250 credits (2k)'],
])('%j for %d credits: %s', (parameters, costCredits, words) => {
  expect(priceLabel({ parameters, costCredits })).toBe(words);
});
