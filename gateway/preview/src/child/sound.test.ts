import { describe, expect, test } from '@jest/globals';
import { makeTone, sampleRate } from './sound.ts';

describe('the tone of a preview', () => {
  test('is the same for the same prompt and seed, and differs for another seed', () => {
    expect(makeTone('fox', 1, 4800)).toEqual(makeTone('fox', 1, 4800));
    expect(makeTone('fox', 2, 4800)).not.toEqual(makeTone('fox', 1, 4800));
  });

  test('is audible but quiet, and begins and ends in silence', () => {
    for (const plane of makeTone('fox', 7, 3 * sampleRate)) {
      const loudest = plane.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0);
      expect(loudest).toBeGreaterThan(0.02);
      expect(loudest).toBeLessThan(0.2);
      expect(Math.abs(plane[0] ?? 1)).toBeLessThan(0.001);
      expect(Math.abs(plane.at(-1) ?? 1)).toBeLessThan(0.001);
    }
  });
});
