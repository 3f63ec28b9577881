import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  costOfOrder as costIn,
  type OrderMeasures,
  type RouteCost,
  toMicros,
} from './routeCost.ts';

/** An amount as people write it, and its value in millionths. */
const written = fc
  .tuple(fc.integer({ min: 0, max: 999_999 }), fc.integer({ min: 0, max: 999_999 }))
  .map(([units, millionths]) => ({
    text: `${units}.${String(millionths).padStart(6, '0')}`,
    micros: units * 1_000_000 + millionths,
  }));

describe('amounts', () => {
  test('of up to six decimals are exact when parsed and displayed', () => {
    fc.assert(
      fc.property(written, ({ text, micros }) => {
        expect(toMicros(JSON.parse(text.replace(/^0+(?=\d)/, '')) as number)).toBe(micros);
        expect(toMicros(Number(text))).toBe(micros);
      }),
    );
  });

  test('with more decimals, below zero or out of range are invalid', () => {
    fc.assert(
      fc.property(written, fc.integer({ min: 1, max: 9 }), ({ text }, digit) => {
        // Larger numbers have no seventh decimal.
        fc.pre(Number(text) < 100_000);
        expect(toMicros(Number(`${text}${digit}`))).toBeNull();
      }),
    );
    expect([-0.01, 1_000_000.01, NaN, Infinity].map(toMicros)).toEqual([null, null, null, null]);
  });
});

const video = (duration_seconds: number, resolution: '480p' | '720p' = '720p') => ({
  duration_seconds,
  resolution,
  aspect_ratio: '16:9' as const,
  generate_audio: true,
  seed: 1,
  real_person_mode: false,
});
const images = (n: number) => ({
  n,
  aspect_ratio: '1:1' as const,
  resolution: '1k' as const,
  output_format: 'png' as const,
  seed: 1,
});
const none: RouteCost = { currency: 'USD' };
const hd = { width: 1280, height: 720 };
const costOfOrder = (
  cost: RouteCost | null,
  order: Parameters<typeof costIn>[1],
  measures: Partial<OrderMeasures> = {},
) => costIn(cost, order, { calls: 1, size: hd, ...measures });
const price = fc.integer({ min: 0, max: 1_000_000_000 });

describe('the cost of an order', () => {
  test('is linear in its seconds or images, and each call is added once', () => {
    fc.assert(
      fc.property(price, price, fc.integer({ min: 1, max: 30 }), (each, perCall, count) => {
        const ofVideo = costOfOrder(
          { ...none, perSecond: each, perCall },
          { parameters: video(count), inputs: [] },
        );
        expect(ofVideo?.micros).toBe(each * count + perCall);
        const ofImages = costOfOrder(
          { ...none, perImage: each, perCall },
          { parameters: images(count), inputs: [] },
          { calls: count },
        );
        expect(ofImages?.micros).toBe((each + perCall) * count);
      }),
    );
  });

  test('depends on the resolution, and is unknown, never zero, where none is stated', () => {
    fc.assert(
      fc.property(price, (each) => {
        const cost = { ...none, perSecond: { '480p': each }, perCall: each };
        expect(costOfOrder(cost, { parameters: video(5, '480p'), inputs: [] })?.micros).toBe(
          6 * each,
        );
        expect(costOfOrder(cost, { parameters: video(5, '720p'), inputs: [] })).toBeNull();
        expect(
          costOfOrder({ ...none, perSecond: each }, { parameters: images(1), inputs: [] }),
        ).toBeNull();
        expect(
          costOfOrder({ ...none, perImage: each }, { parameters: video(5), inputs: [] }),
        ).toBeNull();
      }),
    );
    expect(costOfOrder(null, { parameters: video(5), inputs: [] })).toBeNull();
    expect(costOfOrder(none, { parameters: video(5), inputs: [] })).toBeNull();
    expect(costOfOrder({ ...none, perCall: 0 }, { parameters: video(5), inputs: [] })).toEqual({
      currency: 'USD',
      micros: 0,
    });
  });

  test('with sound has its own price where one is stated, also by resolution', () => {
    const cost = { ...none, perSecond: 10, perSecondWithSound: { '720p': 15 } };
    const of = (generate_audio: boolean, resolution: '480p' | '720p') =>
      costOfOrder(cost, { parameters: { ...video(4, resolution), generate_audio }, inputs: [] });
    expect([of(false, '720p')?.micros, of(true, '720p')?.micros]).toEqual([40, 60]);
    expect([of(false, '480p')?.micros, of(true, '480p')]).toEqual([40, null]);
  });

  test('counts references by their type, and is at least the minimum', () => {
    const cost = { ...none, perSecond: 10, perReference: { image: 7, video: 100 }, minimum: 80 };
    const of = (...inputs: Parameters<typeof costOfOrder>[1]['inputs']) =>
      costOfOrder(cost, { parameters: video(5), inputs })?.micros;
    const [role, type] = ['reference', 'image'] as const;
    expect(of()).toBe(80);
    expect(of({ role, type }, { role, type }, { role, type: 'audio' })).toBe(80);
    expect(of({ role, type }, { role, type: 'video' }, { role: 'first_frame', type })).toBe(157);
  });

  test('by tokens follows the documented rule until the provider reports them', () => {
    const cost = { ...none, perMillionTokens: 1_200_000, perMillionTokensWithSound: 2_400_000 };
    const of = (generate_audio: boolean, measures: Partial<OrderMeasures> = {}) =>
      costOfOrder(cost, { parameters: { ...video(5), generate_audio }, inputs: [] }, measures)
        ?.micros;
    // BytePlus: 1280 x 720 x 24 x 5 / 1024 = 108,000 tokens.
    expect([of(false), of(true), of(true, { tokens: 108_900 })]).toEqual([
      ...[129_600, 259_200, 261_360],
    ]);
    const size = { width: 2, height: 512 };
    const inPixels = { ...cost, tokens: { fps: 1, pixelsPerToken: 1 } };
    const order = { parameters: video(1_000), inputs: [] };
    expect(costOfOrder(inPixels, order, { size })?.micros).toBe(2_457_600);
  });

  test('never falls with more tokens, seconds or pixels, is whole, and at least the minimum', () => {
    const many = fc.integer({ min: 1, max: 10_000_000 });
    fc.assert(
      fc.property(price, price, many, many, price, (each, other, tokens, more, minimum) => {
        const ofVideo = (count: number) =>
          costOfOrder(
            { ...none, perSecond: other, perMillionTokens: each, minimum },
            { parameters: video(5), inputs: [] },
            { tokens: count },
          )?.micros ?? NaN;
        const [few, all] = [ofVideo(tokens), ofVideo(tokens + more)];
        expect(all).toBeGreaterThanOrEqual(few);
        expect(few).toBe(Math.max(minimum, Math.round((each * tokens) / 1e6 + other * 5)));
      }),
    );
  });

  test('of images counts pixels and tokens of each, and is unknown without a number of tokens', () => {
    const order = { parameters: images(3), inputs: [] };
    const size = { width: 1_000, height: 2_000 };
    expect(costOfOrder({ ...none, perMegapixel: 10 }, order, { size })?.micros).toBe(60);
    const byTokens = { ...none, perMillionTokens: 40_000_000 };
    expect(costOfOrder({ ...byTokens, tokens: { perImage: 1_056 } }, order)?.micros).toBe(126_720);
    expect(costOfOrder(byTokens, order)).toBeNull();
    expect(costOfOrder(byTokens, order, { tokens: 100 })?.micros).toBe(4_000);
  });

  test('adds the seconds of references, and nothing for those of unknown length', () => {
    const cost = { ...none, perSecond: 10, perReferenceSecond: { video: 4 } };
    const role = 'reference' as const;
    const inputs = [
      { role, type: 'video', seconds: 2.5 },
      { role, type: 'video' },
      { role, type: 'audio', seconds: 9 },
    ] as const;
    expect(costOfOrder(cost, { parameters: video(5), inputs })?.micros).toBe(60);
  });
});
