import { expect, test } from '@jest/globals';
import { refusalWords } from '../../texts/refusalWords.ts';
import { unusableFile } from './uploads.ts';

test('the message about a picture with too many pixels names a remedy', () => {
  const refused = {
    ok: false,
    problem: 'too_many_pixels',
    pixels: 6_300 ** 2,
    most: 6_000_000,
    isTransparentWebp: true,
    maxBehindUrl: 40_000_000,
  } as const;
  expect(refusalWords(unusableFile('image', refused))).toBe(
    'This picture has 39.7 megapixels; the limit for a WebP with transparency is 6.0. What helps: make it smaller, or save it as PNG, or give its address, behind which a picture may have 40.0.',
  );
});
