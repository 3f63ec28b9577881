import fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import { costOfOrder, toMicros, type RouteCost } from './routeCost.ts';

/** An amount as people write it, and its value in millionths. */
const written = fc
  .tuple(fc.integer({ min: 0, max: 999_999 }), fc.integer({ min: 0, max: 999_999 }))
  .map(([units, millionths]) => ({
    text: `${String(units)}.${String(millionths).padStart(6, '0')}`,
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
        expect(toMicros(Number(`${text}${String(digit)}`))).toBeNull();
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
          count,
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
});
