import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sum } from '@framegate/contract';
import {
  chargeOf,
  type CostLine,
  costOfAttempt,
  costsBy,
  formatMicros,
  isPlausible,
  marginOf,
  parseMoney,
  sumCosts,
} from './cost.ts';

describe('amounts', () => {
  test('are displayed exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), (micros) => {
        const shown = formatMicros(micros);
        expect(parseMoney(`${shown} USD`)).toEqual({ currency: 'USD', micros });
      }),
    );
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
    for (const wrong of [
      '0.01',
      '0,01 USD',
      '1 usd',
      '0.0000001 USD',
      '1000000.01 USD',
      '-1 EUR',
      '1 EUR ',
    ]) {
      expect(() => parseMoney(wrong)).toThrow(/amount/);
    }
  });
});

describe('the cost of an attempt', () => {
  test('is certain for results, and possible for anything that is not known to be free', () => {
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
    providerModel: fc.constantFrom('x', 'y'),
    model: fc.constant('alpha-2.0-pro'),
    charge: fc.constantFrom('charged' as const, 'possible' as const, 'none' as const),
    isDelivered: fc.boolean(),
    currency: fc.constantFrom('USD', 'EUR', null),
    attempts: fc.integer({ min: 1, max: 1_000 }),
    micros: fc.integer({ min: 0, max: 1e12 }),
    credits: fc.integer({ min: 0, max: 1e6 }),
  })
  .map((made) => ({ ...made, micros: made.currency === null ? 0 : made.micros }));
const lines = fc.array(line, { maxLength: 30 });

describe('costs', () => {
  test('are equal in any grouping', () => {
    fc.assert(
      fc.property(lines, (all) => {
        const whole = sumCosts(all);
        for (const nameOf of [(each: CostLine) => each.provider, (each: CostLine) => each.day]) {
          const groups = costsBy(all, nameOf).map(({ sum: each }) => each);
          for (const field of ['attempts', 'credits'] as const) {
            expect(sum(groups.map((each) => each[field]))).toBe(whole[field]);
          }
          expect(sum(groups.map(({ unknown }) => unknown.loss))).toBe(whole.unknown.loss);
          for (const [currency, spent] of whole.spent) {
            const of = groups.flatMap((each) => each.spent.get(currency) ?? []);
            expect(sum(of.map(({ cost }) => cost))).toBe(spent.cost);
            expect(sum(of.map(({ loss }) => loss))).toBe(spent.loss);
          }
        }
      }),
    );
  });

  test('include possible charges and losses, and never count unknown as zero', () => {
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

test("the margin is the customers' payment less the cost, where both are known", () => {
  const paid: CostLine = {
    day: '2026-11-22',
    provider: 'a',
    providerModel: 'x',
    model: 'm',
    attempts: 1,
    charge: 'charged',
    isDelivered: true,
    currency: 'USD',
    micros: 250_000,
    credits: 30,
  };
  const lost: CostLine = { ...paid, charge: 'possible', isDelivered: false, credits: 0 };
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

test('a reported charge takes the place of the estimate, unless it cannot be right', () => {
  const amount = fc.integer({ min: 1, max: 1_000_000_000 });
  const usd = (micros: number) => ({ currency: 'USD', micros });
  fc.assert(
    fc.property(amount, amount, (charged, estimate) => {
      const [reported, cost] = [usd(charged), usd(estimate)];
      expect(isPlausible(reported, cost)).toBe(charged <= 100 * estimate);
      expect(isPlausible(reported, { ...cost, currency: 'EUR' })).toBe(false);
      // Nothing to compare with.
      expect([isPlausible(reported, null), isPlausible(reported, usd(0))]).toEqual([true, true]);
      expect(costOfAttempt({ cost, charged: reported })).toEqual(reported);
      expect(costOfAttempt({ cost })).toEqual(cost);
      expect(chargeOf({ outcome: 'failed', charged: reported })).toBe('possible');
    }),
  );
  expect(chargeOf({ outcome: 'completed', charged: usd(0) })).toBe('none');
});
