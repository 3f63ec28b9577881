import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { imageSize, videoSize } from './pixelSize.ts';

const videoRatios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'];
const imageRatios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', '3:2', '2:3'];
const imageAreas: Record<string, number> = { '1k': 1024 ** 2, '2k': 2048 ** 2, '4k': 4096 ** 2 };

describe('the frame size of a video', () => {
  test.each([
    ['480p', '16:9', 854, 480],
    ['720p', '16:9', 1280, 720],
    ['1080p', '16:9', 1920, 1080],
    ['1440p', '16:9', 2560, 1440],
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

  test('is even, has the requested ratio, and never exceeds the limit of decoders', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('480p', '720p', '1080p', '1440p', '2160p'),
        fc.constantFrom(...videoRatios),
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

describe('the size of an image', () => {
  test.each([
    ['1k', '1:1', 1024, 1024],
    ['1k', '16:9', 1408, 792],
    ['1k', '2:3', 832, 1248],
    ['2k', '16:9', 2688, 1512],
    ['4k', '1:1', 4096, 4096],
    ['4k', '9:16', 3096, 5504],
  ])('%s at %s is %ix%i', (resolution, aspectRatio, width, height) => {
    expect(imageSize(resolution, aspectRatio)).toEqual({ width, height });
  });

  test.each([
    ['16:9', 16, 1280, 720],
    ['21:9', 16, 1568, 672],
    ['3:2', 32, 1248, 832],
  ])('%s in steps of %i is %ix%i', (aspectRatio, step, width, height) => {
    expect(imageSize('1k', aspectRatio, step)).toEqual({ width, height });
  });

  test('keeps the ratio exactly, in steps of 8 pixels, near the area of its square', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('1k', '2k', '4k'),
        fc.constantFrom(...imageRatios),
        (resolution, aspectRatio) => {
          const { width, height } = imageSize(resolution, aspectRatio);
          const [across = 0, down = 0] = aspectRatio.split(':').map(Number);
          expect(width * down).toBe(height * across);
          expect([width % 8, height % 8]).toEqual([0, 0]);
          expect((width * height) / (imageAreas[resolution] ?? 0)).toBeGreaterThan(0.9);
          expect((width * height) / (imageAreas[resolution] ?? 0)).toBeLessThan(1.1);
        },
      ),
    );
  });

  test('refuses unknown values', () => {
    expect(() => imageSize('8k', '1:1')).toThrow(RangeError);
    expect(() => imageSize('1k', 'square')).toThrow(RangeError);
  });
});
