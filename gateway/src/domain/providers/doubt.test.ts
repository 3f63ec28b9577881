import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isProven, proof, addSign, type Doubt } from './doubt.ts';

const readings = fc.array(
  fc.record({ sign: fc.constantFrom('a', 'b'), afterMs: fc.nat({ max: proof.overMs }) }),
  { minLength: 1, maxLength: 12 },
);

test('a doubt is proven by the same sign, often enough in a row and over the whole time', () => {
  fc.assert(
    fc.property(readings, (all) => {
      let doubt: Doubt | undefined;
      let now = 0;
      let series: { sign: string; at: number }[] = [];
      for (const { sign, afterMs } of all) {
        now += afterMs;
        doubt = addSign(doubt, { sign, reason: sign }, now);
        if (series[0]?.sign !== sign) series = [];
        series.push({ sign, at: now });
        const isLong = now - (series[0]?.at ?? now) >= proof.overMs;
        expect(isProven(doubt, now, proof.overMs)).toBe(series.length >= 3 && isLong);
      }
    }),
  );
});
