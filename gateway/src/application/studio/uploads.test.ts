import { expect, test } from '@jest/globals';
import { describeRefusal } from '../../texts/describeRefusal.ts';
import { unusableFileRefusal } from './uploads.ts';

test('the message about a picture with too many pixels names a remedy', () => {
  const refused = {
    ok: false,
    problem: 'too_many_pixels',
    pixels: 6_300 ** 2,
    max: 6_000_000,
    isTransparentWebp: true,
    maxBehindUrl: 40_000_000,
  } as const;
  expect(describeRefusal(unusableFileRefusal('image', refused))).toBe(
    'This image has 39.7 megapixels; the limit for a WebP with transparency is 6.0. Make it smaller, or save it as PNG, or enter its URL: images from a URL can have 40.0.',
  );
});
