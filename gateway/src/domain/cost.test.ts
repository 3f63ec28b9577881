import fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import {
  chargeOf,
  type CostLine,
  costOfOrder,
  costsBy,
  formatMicros,
  marginOf,
  parseMoney,
  type RouteCost,
  sumCosts,
  toMicros,
} from './cost.ts';

/** An amount as people write it, and the millionths that it stands for. */
const written = fc
  .tuple(fc.integer({ min: 0, max: 999_999 }), fc.integer({ min: 0, max: 999_999 }))
  .map(([units, millionths]) => ({
    text: `${String(units)}.${String(millionths).padStart(6, '0')}`,
    micros: units * 1_000_000 + millionths,
  }));

describe('amounts', () => {
  test('of up to six decimals are exact, as JSON reads them and as they are shown', () => {
    fc.assert(
      fc.property(written, ({ text, micros }) => {
        expect(toMicros(JSON.parse(text.replace(/^0+(?=\d)/, '')) as number)).toBe(micros);
        expect(toMicros(Number(formatMicros(micros)))).toBe(micros);
      }),
    );
  });

  test('with more decimals, below zero or out of range are none', () => {
    fc.assert(
      fc.property(written, fc.integer({ min: 1, max: 9 }), ({ text }, digit) => {
        // Beyond that a number has no seventh decimal.
        fc.pre(Number(text) < 100_000);
        expect(toMicros(Number(`${text}${String(digit)}`))).toBeNull();
      }),
    );
    expect([-0.01, 1_000_000.01, NaN, Infinity].map(toMicros)).toEqual([null, null, null, null]);
  });

  test.each([
    [0, '0.00'],
    [50_000, '0.05'],
    [52_500, '0.0525'],
    [1, '0.000001'],
    [-1_250_000, '-1.25'],
    [12_345_600_000, '12345.60'],
  ])('%i millionths are shown as %s', (micros, shown) => {
    expect(formatMicros(micros)).toBe(shown);
  });

  test('are read with their currency', () => {
    expect(parseMoney('0.01 USD')).toEqual({ currency: 'USD', micros: 10_000 });
    for (const wrong of ['0.01', '0,01 USD', '1 usd', '0.0000001 USD', '-1 EUR', '1 EUR ']) {
      expect(() => parseMoney(wrong)).toThrow(/amount/);
    }
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
const none: RouteCost = { currency: 'USD', perSecond: null, perImage: null, perCall: null };
const price = fc.integer({ min: 0, max: 1_000_000_000 });

describe('what an order costs', () => {
  test('is linear in its seconds or images, and each call is added once', () => {
    fc.assert(
      fc.property(price, price, fc.integer({ min: 1, max: 30 }), (each, perCall, count) => {
        const ofVideo = costOfOrder({ ...none, perSecond: each, perCall }, video(count));
        expect(ofVideo?.micros).toBe(each * count + perCall);
        const ofImages = costOfOrder({ ...none, perImage: each, perCall }, images(count), count);
        expect(ofImages?.micros).toBe((each + perCall) * count);
      }),
    );
  });

  test('is what the resolution costs, and unknown, never zero, where nothing is said of it', () => {
    fc.assert(
      fc.property(price, (each) => {
        const cost = { ...none, perSecond: new Map([['480p', each]]), perCall: each };
        expect(costOfOrder(cost, video(5, '480p'))?.micros).toBe(6 * each);
        expect(costOfOrder(cost, video(5, '720p'))).toBeNull();
        expect(costOfOrder({ ...none, perSecond: each }, images(1))).toBeNull();
        expect(costOfOrder({ ...none, perImage: each }, video(5))).toBeNull();
      }),
    );
    expect(costOfOrder(null, video(5))).toBeNull();
    expect(costOfOrder(none, video(5))).toBeNull();
    expect(costOfOrder({ ...none, perCall: 0 }, video(5))).toEqual({ currency: 'USD', micros: 0 });
  });

  test('is charged for what was made, and possibly for anything else that is not known to be free', () => {
    const outcomes = ['open', 'accepted', 'refused', 'unknown', 'completed', 'failed'] as const;
    expect(outcomes.map((outcome) => chargeOf({ outcome }))).toEqual([
      ...['possible', 'possible', 'possible', 'possible', 'charged', 'possible'],
    ]);
    expect(outcomes.map((outcome) => chargeOf({ outcome, isFree: true }))).toEqual(
      outcomes.map(() => 'none'),
    );
  });
});

const line: fc.Arbitrary<CostLine> = fc
  .record({
    day: fc.constantFrom('2026-11-21', '2026-11-22'),
    provider: fc.constantFrom('a', 'b', 'c'),
    upstream: fc.constantFrom('x', 'y'),
    model: fc.constant('alpha-2.0-pro'),
    charge: fc.constantFrom('charged' as const, 'possible' as const, 'none' as const),
    delivered: fc.boolean(),
    currency: fc.constantFrom('USD', 'EUR', null),
    attempts: fc.integer({ min: 1, max: 1_000 }),
    micros: fc.integer({ min: 0, max: 1e12 }),
    credits: fc.integer({ min: 0, max: 1e6 }),
  })
  .map((made) => ({ ...made, micros: made.currency === null ? 0 : made.micros }));
const lines = fc.array(line, { maxLength: 30 });

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

describe('costs', () => {
  test('are the same however they are grouped', () => {
    fc.assert(
      fc.property(lines, (all) => {
        const whole = sumCosts(all);
        for (const nameOf of [(each: CostLine) => each.provider, (each: CostLine) => each.day]) {
          const groups = costsBy(all, nameOf).map(({ sum }) => sum);
          for (const field of ['attempts', 'credits'] as const) {
            expect(total(groups.map((sum) => sum[field]))).toBe(whole[field]);
          }
          expect(total(groups.map(({ unknown }) => unknown.loss))).toBe(whole.unknown.loss);
          for (const [currency, spent] of whole.spent) {
            const of = groups.flatMap((sum) => sum.spent.get(currency) ?? []);
            expect(total(of.map(({ cost }) => cost))).toBe(spent.cost);
            expect(total(of.map(({ loss }) => loss))).toBe(spent.loss);
          }
        }
      }),
    );
  });

  test('hold what may be charged and what was lost, and never what is unknown as zero', () => {
    fc.assert(
      fc.property(lines, (all) => {
        const { spent, unknown } = sumCosts(all);
        for (const { cost, possible, loss } of [unknown, ...spent.values()]) {
          expect([possible <= cost, loss <= cost]).toEqual([true, true]);
        }
        const isUnknown = all.some((each) => each.currency === null && each.charge !== 'none');
        expect(unknown.cost > 0).toBe(isUnknown);
        if (isUnknown) expect(marginOf(sumCosts(all), { currency: 'USD', micros: 1 })).toBeNull();
      }),
    );
  });
});

test('the margin is what customers paid less the cost, where both are known', () => {
  const paid: CostLine = {
    day: '2026-11-22',
    provider: 'a',
    upstream: 'x',
    model: 'm',
    attempts: 1,
    charge: 'charged',
    delivered: true,
    currency: 'USD',
    micros: 250_000,
    credits: 30,
  };
  const lost: CostLine = { ...paid, charge: 'possible', delivered: false, credits: 0 };
  const free: CostLine = { ...lost, charge: 'none' };
  const cent = { currency: 'USD', micros: 10_000 };
  expect(marginOf(sumCosts([paid, free]), cent)).toBe(50_000);
  expect(marginOf(sumCosts([paid, lost]), cent)).toBe(-200_000);
  expect(sumCosts([paid, lost, free]).spent.get('USD')).toEqual({
    cost: 500_000,
    possible: 250_000,
    loss: 250_000,
  });
  expect(marginOf(sumCosts([paid]), null)).toBeNull();
  expect(marginOf(sumCosts([paid]), { ...cent, currency: 'EUR' })).toBeNull();
  expect(marginOf(sumCosts([{ ...paid, currency: null, micros: 0 }]), cent)).toBeNull();
});
