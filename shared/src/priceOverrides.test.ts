import { describe, expect, test } from '@jest/globals';
import { catalogue, findModel } from './catalogue.ts';
import type { Model } from './model.ts';
import { withPrices } from './priceOverrides.ts';
import { pricingOf } from './pricing.ts';

describe("the operator's prices", () => {
  test('replace those they name and leave the others', () => {
    const models = withPrices(catalogue, {
      'alpha-2.5': { '720p': 20 },
      'image-a-2': { '1k': 1 },
    });
    expect(models.map((model) => model.id)).toEqual(catalogue.map((model) => model.id));
    const credits = (id: string) => pricingOf(findModel(id, models) as Model).credits;
    expect(credits('alpha-2.5')).toEqual({ '480p': 8, '720p': 20, '1080p': 36 });
    expect(credits('image-a-2')).toEqual({ '1k': 1, '2k': 16 });
    expect(findModel('beta-3.0', models)).toBe(findModel('beta-3.0'));
    expect(pricingOf(findModel('alpha-2.5') as Model).credits).toMatchObject({ '720p': 16 });
  });

  test.each([
    [{ 'alpha-9': { '720p': 1 } }, /unknown model alpha-9/],
    [{ 'alpha-2.5': { '2160p': 1 } }, /alpha-2.5 has no resolution 2160p/],
    [{ 'alpha-2.5': { '720p': 0 } }, /alpha-2.5 720p must be a whole number/],
    [{ 'alpha-2.5': { '720p': 1.5 } }, /whole number/],
    [{ 'alpha-2.5': { '720p': '8' } }, /whole number/],
    [{ 'alpha-2.5': { '720p': 1_000_001 } }, /whole number/],
    [{ 'alpha-2.5': 8 }, /alpha-2.5 must be an object/],
    [[], /prices must be an object/],
    [null, /prices must be an object/],
  ])('%j is refused', (overrides, message) => {
    expect(() => withPrices(catalogue, overrides)).toThrow(message);
  });

  test('every problem is named at once', () => {
    const overrides = { 'alpha-9': {}, 'beta-3.0': { '480p': 1, '720p': -1 } };
    expect(() => withPrices(catalogue, overrides)).toThrow(
      /unknown model alpha-9; .*no resolution 480p.*; .*720p must be/,
    );
  });
});
