import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { chooseSample, type ClockSample, createWitnessedTime, errorAt } from './databaseClock.ts';

/** A sample of a server whose clock is `trueOffsetMs` ahead; its error lies anywhere within the round trip. */
const sampleOf = (trueOffsetMs: number, takenAt: number, roundTripMs: number, part: number) => ({
  offsetMs: trueOffsetMs + (part - 0.5) * roundTripMs,
  errorMs: roundTripMs / 2,
  takenAt,
});
const good: ClockSample = { offsetMs: 1_000, errorMs: 1, takenAt: 0 };

describe('the sample that the clock follows', () => {
  test('stays when responses are slow, however many come', () => {
    let held = good;
    for (let second = 5; second <= 600; second += 5) {
      held = chooseSample(held, sampleOf(1_000, second * 1_000, 8_000, 1));
    }
    expect(held).toBe(good);
  });

  test('is replaced by one of its own current accuracy', () => {
    const next = { offsetMs: 1_000.5, errorMs: 1.4, takenAt: 5_000 };
    expect(chooseSample(good, next)).toBe(next);
  });

  test("is replaced by a slow one that proves a change of the server's time", () => {
    const next = sampleOf(46_000, 5_000, 8_000, 0.5);
    expect(chooseSample(good, next)).toBe(next);
  });

  test('is never less accurate than it claims', () => {
    const responses = fc.array(
      fc.record({
        afterMs: fc.double({ min: 1, max: 60_000, noNaN: true }),
        roundTripMs: fc.double({ min: 0.1, max: 20_000, noNaN: true }),
        part: fc.double({ min: 0, max: 1, noNaN: true }),
        stepMs: fc.constantFrom(0, 0, 0, 45_000, -3_000),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(responses, (samples) => {
        let [truth, nowMs] = [0, 0];
        let held = sampleOf(truth, nowMs, 1, 0.5);
        for (const { afterMs, roundTripMs, part, stepMs } of samples) {
          nowMs += afterMs;
          truth += stepMs;
          const next = sampleOf(truth, nowMs, roundTripMs, part);
          held = chooseSample(held, next);
          // A step that a slow response can hide is followed when responses are quick again.
          if (held !== next && stepMs !== 0) return;
          expect(Math.abs(held.offsetMs - truth)).toBeLessThanOrEqual(errorAt(held, nowMs) + 1e-6);
        }
      }),
    );
  });
});

/** A process alone with its database, whose clocks the test moves; `pass` takes a sample, as every five seconds. */
function startWitness() {
  let nowMs = 0;
  const ahead = { database: 0, machine: 0 };
  const told: unknown[] = [];
  const tell = (fields: object, message: string) =>
    told.push('alert' in fields ? fields.alert : message);
  const sample = () => ({ offsetMs: ahead.database, errorMs: 0.5, takenAt: nowMs });
  const machine = { counter: () => nowMs, wall: () => nowMs + ahead.machine };
  const time = createWitnessedTime(sample(), machine, { error: tell, warn: tell });
  const pass = () => {
    nowMs += 5_000;
    time.take(sample());
    time.judgeVotes(['agrees']);
  };
  return { time, ahead, told, pass };
}

describe('the report of a wrong clock', () => {
  test('is one line when this machine is wrong, however long, and one when it is right again', () => {
    const { time, ahead, told, pass } = startWitness();
    ahead.machine = 45_000;
    for (let count = 0; count < 20; count += 1) pass();
    expect(time.wrongClock()).toBe('machine');
    expect(told).toEqual(['machine_clock_wrong']);
    ahead.machine = 0;
    for (let count = 0; count < 20; count += 1) pass();
    expect(told).toEqual(['machine_clock_wrong', "this machine's clock is right again"]);
  });

  test('is one line when the database has stepped, and time continues without the step', () => {
    const { time, ahead, told, pass } = startWitness();
    ahead.database = 1_200_000;
    pass();
    pass();
    expect(time.wrongClock()).toBe('database');
    expect(time.now()).toBe(10_000);
    expect(told).toEqual(['database_clock_wrong']);
    ahead.database = 0;
    pass();
    expect(told).toEqual(['database_clock_wrong', "database's time is trusted again"]);
  });

  test('is empty when all machines are set, and time then follows them', () => {
    const { time, ahead, told, pass } = startWitness();
    Object.assign(ahead, { database: -1_200_000, machine: -1_200_000 });
    pass();
    expect(time.wrongClock()).toBeNull();
    expect(time.now()).toBe(5_000 - 1_200_000);
    expect(told).toEqual([]);
  });
});
