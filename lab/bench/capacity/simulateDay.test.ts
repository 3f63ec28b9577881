import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { arrivalsAt, type Day, fleetFor, simulateDay } from './simulateDay.ts';

const noon = 43_200;
const day: Day = {
  generations: 60_000_000,
  swing: 0.6,
  durationS: 45,
  outage: { fromS: noon, forS: 600 },
};
const calm = { ...day, outage: { fromS: 86_400, forS: 0 } };

test('the number at the provider equals the arrivals during one order', () => {
  const { maxInFlight, caughtUpS } = simulateDay(calm, fleetFor(day));
  expect(maxInFlight / (arrivalsAt(day, noon) * day.durationS)).toBeCloseTo(1, 1);
  expect(caughtUpS).toBe(0);
});

test('in the planned fleet nothing waits at any load, and an outage is caught up', () => {
  const load = fc.double({ min: 1e4, max: 1e8, noNaN: true });
  fc.assert(
    fc.property(load, fc.double({ min: 0, max: 1, noNaN: true }), (generations, swing) => {
      const planned = { ...day, generations, swing };
      const { use, maxWaitS, caughtUpS } = simulateDay(planned, fleetFor(planned));
      expect(Math.max(...Object.values(use))).toBeLessThanOrEqual(0.61);
      for (const { before } of Object.values(maxWaitS)) expect(before).toBe(0);
      expect(caughtUpS).toBeLessThan(3_600);
    }),
    { numRuns: 6 },
  );
});

test.each(['api', 'worker', 'fileCores', 'databaseCores'] as const)(
  'with too few %s, generations wait from before noon on',
  (scarce) => {
    const fleet = fleetFor(day);
    const { use, maxWaitS } = simulateDay(calm, { ...fleet, [scarce]: fleet[scarce] * 0.2 });
    expect(use[scarce]).toBeCloseTo(1);
    expect(Math.max(...Object.values(maxWaitS).map(({ all }) => all))).toBeGreaterThan(60);
  },
);
