import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { convertToI420, i420Length } from './video.ts';

/** Luma and chroma of a picture of one colour. */
function convert(red: number, green: number, blue: number): number[] {
  const rgba = Uint8Array.from({ length: 16 }, (_, at) => [red, green, blue, 255][at % 4] ?? 0);
  const planes = new Uint8Array(i420Length(2, 2));
  convertToI420(rgba, 2, 2, planes);
  expect(new Set(planes.subarray(0, 4)).size).toBe(1);
  return [planes[0] ?? -1, planes[4] ?? -1, planes[5] ?? -1];
}

describe('RGBA to 4:2:0', () => {
  // The 8-bit colour bars of ITU-R BT.709 with limited range.
  test.each([
    ['white', [255, 255, 255], [235, 128, 128]],
    ['black', [0, 0, 0], [16, 128, 128]],
    ['red', [255, 0, 0], [63, 102, 240]],
    ['green', [0, 255, 0], [173, 42, 26]],
    ['blue', [0, 0, 255], [32, 240, 118]],
  ] as const)('%s', (_, [red, green, blue], expected) => {
    expect(convert(red, green, blue)).toEqual(expected);
  });

  test('stays in the limited range, and grey has no colour', () => {
    const channel = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(channel, channel, channel, (red, green, blue) => {
        const [y = 0, u = 0, v = 0] = convert(red, green, blue);
        expect(y).toBeGreaterThanOrEqual(16);
        expect(y).toBeLessThanOrEqual(235);
        expect(Math.min(u, v)).toBeGreaterThanOrEqual(16);
        expect(Math.max(u, v)).toBeLessThanOrEqual(240);
        expect(convert(red, red, red).slice(1)).toEqual([128, 128]);
      }),
    );
  });
});
