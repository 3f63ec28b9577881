import fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import { chooseSample, errorAt, type ClockSample } from './witnessedTime.ts';

/** A sample of a server whose clock is `trueOffsetMs` ahead; its error lies anywhere within the round trip. */
const sampleOf = (trueOffsetMs: number, takenAt: number, roundTripMs: number, part: number) => ({
  offsetMs: trueOffsetMs + (part - 0.5) * roundTripMs,
  errorMs: roundTripMs / 2,
  takenAt,
});
const good: ClockSample = { offsetMs: 1_000, errorMs: 1, takenAt: 0 };

describe('the sample that the clock goes by', () => {
  test('stays when answers are slow, however many come', () => {
    let held = good;
    for (let second = 5; second <= 600; second += 5) {
      held = chooseSample(held, sampleOf(1_000, second * 1_000, 8_000, 1));
    }
    expect(held).toBe(good);
  });

  test('is replaced by one that is as accurate as it is itself by then', () => {
    const next = { offsetMs: 1_000.5, errorMs: 1.4, takenAt: 5_000 };
    expect(chooseSample(good, next)).toBe(next);
  });

  test('is replaced by a slow one that proves a change of the server’s time', () => {
    const next = sampleOf(46_000, 5_000, 8_000, 0.5);
    expect(chooseSample(good, next)).toBe(next);
  });

  test('is never less accurate than it claims', () => {
    const answers = fc.array(
      fc.record({
        afterMs: fc.double({ min: 1, max: 60_000, noNaN: true }),
        roundTripMs: fc.double({ min: 0.1, max: 20_000, noNaN: true }),
        part: fc.double({ min: 0, max: 1, noNaN: true }),
        stepMs: fc.constantFrom(0, 0, 0, 45_000, -3_000),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(answers, (samples) => {
        let [truth, now] = [0, 0];
        let held = sampleOf(truth, now, 1, 0.5);
        for (const { afterMs, roundTripMs, part, stepMs } of samples) {
          now += afterMs;
          truth += stepMs;
          const next = sampleOf(truth, now, roundTripMs, part);
          held = chooseSample(held, next);
          // A step that a slow answer can hide is followed when answers are quick again.
          if (held !== next && stepMs !== 0) return;
          expect(Math.abs(held.offsetMs - truth)).toBeLessThanOrEqual(errorAt(held, now) + 1e-6);
        }
      }),
    );
  });
});
