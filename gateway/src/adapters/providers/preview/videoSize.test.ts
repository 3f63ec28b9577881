import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { videoSize } from './videoSize.ts';

const RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'];

describe('the frame size of a video', () => {
  test.each([
    ['480p', '16:9', 854, 480],
    ['720p', '16:9', 1280, 720],
    ['1080p', '16:9', 1920, 1080],
    ['2160p', '16:9', 3840, 2160],
    ['720p', '9:16', 720, 1280],
    ['480p', '9:16', 480, 854],
    ['1080p', '1:1', 1080, 1080],
    ['720p', '4:3', 960, 720],
    ['720p', '3:4', 720, 960],
    ['720p', '21:9', 1680, 720],
    ['1080p', '21:9', 2520, 1080],
    ['2160p', '21:9', 3840, 1646],
  ])('%s at %s is %ix%i', (resolution, aspectRatio, width, height) => {
    expect(videoSize(resolution, aspectRatio)).toEqual({ width, height });
  });

  test('is even, of the ratio asked for, and never longer than decoders take', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('480p', '720p', '1080p', '2160p'),
        fc.constantFrom(...RATIOS),
        (resolution, aspectRatio) => {
          const { width, height } = videoSize(resolution, aspectRatio);
          const [across = 0, down = 0] = aspectRatio.split(':').map(Number);
          expect([width % 2, height % 2]).toEqual([0, 0]);
          expect(Math.max(width, height)).toBeLessThanOrEqual(4096);
          expect(Math.abs((width * down) / across - height)).toBeLessThanOrEqual(2);
        },
      ),
    );
  });

  test.each([
    ['720', '16:9'],
    ['p', '16:9'],
    ['0p', '16:9'],
    ['720p', '16x9'],
    ['720p', '0:9'],
    ['720p', 'adaptive'],
  ])('%s at %s is refused', (resolution, aspectRatio) => {
    expect(() => videoSize(resolution, aspectRatio)).toThrow(RangeError);
  });
});
