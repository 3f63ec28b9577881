import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { catalogue, findModel } from './catalogue.ts';
import type { Model } from './model.ts';
import { priceCredits, type PricedParameters } from './priceCredits.ts';
import { pricingOf } from './pricing.ts';

function price(id: string, parameters: PricedParameters): number {
  return priceCredits(pricingOf(findModel(id) as Model), parameters);
}

describe('the price', () => {
  test.each([
    ['alpha-2.0-pro', '720p', 5, false, 70],
    ['alpha-2.0-pro', '720p', 5, true, 88], // 87.5 rounded up
    ['alpha-2.5', '480p', 4, true, 40], // exact: nothing to round
    ['alpha-2.5', '1080p', 15, true, 675],
    ['alpha-2.0-fast', '480p', 5, true, 32], // 31.25
    ['beta-3.0', '720p', 3, true, 57], // 56.25
    ['beta-3.0', '2160p', 15, true, 1125],
    ['alpha-2.0-mini', '720p', 10, false, 60],
  ])(
    '%s %s %i s, sound %s: %i credits',
    (id, resolution, duration_seconds, generate_audio, cost) => {
      expect(price(id, { resolution, duration_seconds, generate_audio })).toBe(cost);
    },
  );

  test.each([
    ['image-a-2', '2k', 4, 64],
    ['image-b-2', '1k', 1, 6],
    ['image-b-pro', '4k', 3, 108],
  ])('%s %s, %i images: %i credits', (id, resolution, n, cost) => {
    expect(price(id, { resolution, n })).toBe(cost);
  });

  test.each([
    ['beta-3.0', { resolution: '480p', duration_seconds: 5 }],
    ['alpha-2.5', { resolution: 'constructor', duration_seconds: 5 }],
    ['alpha-2.5', { resolution: '720p' }],
    ['alpha-2.5', { resolution: '720p', duration_seconds: 0 }],
    ['alpha-2.5', { resolution: '720p', duration_seconds: -5 }],
    ['alpha-2.5', { resolution: '720p', duration_seconds: 4.5 }],
    ['alpha-2.5', { resolution: '720p', duration_seconds: NaN }],
    ['alpha-2.5', { resolution: '720p', duration_seconds: Number.MAX_SAFE_INTEGER }],
    ['image-b-2', { resolution: '1k', duration_seconds: 5 }],
  ])('%s has none for %j', (id, parameters) => {
    expect(() => price(id, parameters)).toThrow(RangeError);
  });

  test('is the fraction rounded up, for any price and length', () => {
    const whole = fc.integer({ min: 1, max: 1_000_000 });
    const rule = pricingOf(findModel('alpha-2.5') as Model);
    fc.assert(
      fc.property(whole, fc.integer({ min: 1, max: 3600 }), (credits, seconds) => {
        const pricing = { ...rule, credits: { x: credits } };
        const silent = priceCredits(pricing, { resolution: 'x', duration_seconds: seconds });
        const loud = priceCredits(pricing, {
          resolution: 'x',
          duration_seconds: seconds,
          generate_audio: true,
        });
        expect(BigInt(silent)).toBe(BigInt(credits) * BigInt(seconds));
        expect(4n * BigInt(loud)).toBeGreaterThanOrEqual(5n * BigInt(silent));
        expect(4n * BigInt(loud - 1)).toBeLessThan(5n * BigInt(silent));
      }),
    );
  });
});

describe('pricing on the wire', () => {
  test('of a video', () => {
    expect(pricingOf(findModel('alpha-2.0-pro') as Model)).toEqual({
      unit: 'credits',
      per: 'second',
      credits: { '480p': 7, '720p': 14, '1080p': 32 },
      audio: { numerator: 5, denominator: 4 },
      rounding: 'up',
      examples: [
        {
          parameters: { duration_seconds: 5, resolution: '720p', generate_audio: false },
          cost_credits: 70,
        },
        {
          parameters: { duration_seconds: 15, resolution: '1080p', generate_audio: true },
          cost_credits: 600,
        },
      ],
    });
  });

  test('of images', () => {
    expect(pricingOf(findModel('image-a-2') as Model)).toEqual({
      unit: 'credits',
      per: 'image',
      credits: { '1k': 8, '2k': 16 },
      rounding: 'up',
      examples: [
        { parameters: { n: 1, resolution: '1k' }, cost_credits: 8 },
        { parameters: { n: 4, resolution: '2k' }, cost_credits: 64 },
      ],
    });
  });

  test.each(catalogue)('$id: a client finds the price of every resolution in it', (model) => {
    const pricing = JSON.parse(JSON.stringify(pricingOf(model))) as ReturnType<typeof pricingOf>;
    expect(Object.keys(pricing.credits)).toEqual(model.resolutions);
    for (const { parameters, cost_credits } of pricing.examples) {
      expect(priceCredits(pricing, parameters)).toBe(cost_credits);
    }
  });
});
