import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addObservation, type Doubt, isProven, provenAfter } from './doubt.ts';

const readings = fc.array(
  fc.record({ sign: fc.constantFrom('a', 'b'), afterMs: fc.nat({ max: provenAfter.overMs }) }),
  { minLength: 1, maxLength: 12 },
);

test('a doubt is proven by the same sign, often enough in a row and over the whole time', () => {
  fc.assert(
    fc.property(readings, (all) => {
      let doubt: Doubt | undefined;
      let nowMs = 0;
      let series: { sign: string; at: number }[] = [];
      for (const { sign, afterMs } of all) {
        nowMs += afterMs;
        doubt = addObservation(doubt, { sign, reason: sign }, nowMs);
        if (series[0]?.sign !== sign) series = [];
        series.push({ sign, at: nowMs });
        const isLong = nowMs - (series[0]?.at ?? nowMs) >= provenAfter.overMs;
        expect(isProven(doubt, nowMs, provenAfter.overMs)).toBe(series.length >= 3 && isLong);
      }
    }),
  );
});
