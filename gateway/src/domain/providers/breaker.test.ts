import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hourMs, minuteMs } from '@framegate/contract';
import type { ProviderHealth } from '@framegate/provider-routes';
import {
  admits,
  admitsAll,
  afterBudget,
  afterSubmission,
  type Breaker,
  closeBudget,
  closedBreaker,
  maxFailures,
  openForHours,
  problemsSince,
  takeProbe,
  unavailableSeconds,
} from './breaker.ts';
import { breakerKeys, modelBreakerKey } from './breakerKeys.ts';

const after = (breaker: Breaker, health: ProviderHealth, nowMs: number) =>
  afterSubmission(breaker, health, nowMs) ?? breaker;
const failure = { kind: 'failure' } as const;
const success = { kind: 'success' } as const;

/** A provider that failed this many times, each time at this moment. */
function failed(times: number, nowMs = 0): Breaker {
  return Array.from({ length: times }).reduce<Breaker>(
    (breaker) => after(breaker, failure, nowMs),
    closedBreaker,
  );
}

describe('a breaker', () => {
  test('tolerates some consecutive failures, then pauses, then allows one probe', () => {
    expect(admits(failed(maxFailures - 1), 0)).toBe('yes');
    const open = failed(maxFailures);
    expect(open.openedAt).toBe(0);
    expect([0, 9_999, 10_000].map((nowMs) => admits(open, nowMs))).toEqual(['no', 'no', 'probe']);
    const probed = takeProbe(open, 10_000);
    expect(probed && admits(probed, 10_001)).toBe('no');
    expect(probed && takeProbe(probed, 10_001)).toBeNull();
  });

  test('pauses longer after each probe that fails, up to a minute', () => {
    const openTimes = [0, 1, 2, 3, 4, 9].map((more) => failed(maxFailures + more).openUntil);
    expect(openTimes).toEqual([10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
  });

  test('a probe whose worker died is followed by another', () => {
    const probed = takeProbe(failed(maxFailures), 10_000);
    expect(probed && admits(probed, 10_000 + minuteMs)).toBe('probe');
  });

  test('is closed by one success, and not written again while closed', () => {
    expect(afterSubmission(failed(50), success, 1)).toEqual(closedBreaker);
    expect(afterSubmission(closedBreaker, success, 1)).toBeNull();
  });

  test('leaves a busy provider alone for the requested time, within bounds', () => {
    const until = (retryAfterMs: number | null) =>
      after(closedBreaker, { kind: 'busy', retryAfterMs }, 0).busyUntil;
    expect([until(null), until(7_000), until(-1), until(9 * 3600_000)]).toEqual([
      ...[2_000, 7_000, 0, 5 * minuteMs],
    ]);
    const busy = after(closedBreaker, { kind: 'busy', retryAfterMs: 7_000 }, 0);
    expect([6_999, 7_000].map((nowMs) => admits(busy, nowMs))).toEqual(['no', 'yes']);
    expect(busy.openedAt).toBeNull();
  });
});

test('a pause that staff set is neither ended nor shortened by earlier calls', () => {
  const paused = openForHours(closedBreaker, 2, 0);
  expect(paused).toMatchObject({ openedAt: 0, openUntil: 2 * hourMs });
  for (const kind of ['success', 'failure', 'key', 'model_gone'] as const) {
    expect(afterSubmission(paused, { kind }, minuteMs)).toBeNull();
  }
  expect(afterSubmission(paused, { kind: 'busy', retryAfterMs: null }, minuteMs)).toBeNull();
  expect(admits(paused, 2 * hourMs)).toBe('probe');
  expect(afterSubmission(paused, { kind: 'success' }, 2 * hourMs)).toEqual(closedBreaker);
});

test('of several breakers the strictest decides', () => {
  const open = failed(maxFailures);
  const at = (nowMs: number) => [
    admitsAll([closedBreaker, closedBreaker], nowMs),
    admitsAll([closedBreaker, open], nowMs),
    admitsAll([{ ...closedBreaker, busyUntil: minuteMs }, open], nowMs),
  ];
  expect(at(0)).toEqual(['yes', 'no', 'no']);
  expect(at(10_000)).toEqual(['yes', 'probe', 'no']);
});

test('models and providers have separate breakers', () => {
  const keys = [
    modelBreakerKey({ provider: 'a', model: 'b c' }),
    modelBreakerKey({ provider: 'a', model: 'b' }),
    modelBreakerKey({ provider: 'b', model: 'a' }),
  ];
  expect(new Set([...keys, 'a', 'b']).size).toBe(5);
});

describe('a model', () => {
  const gone = { ...failed(maxFailures), openUntil: 11 * minuteMs };

  test('takes no orders once all its routes have had an open circuit for ten minutes', () => {
    expect(unavailableSeconds([[gone], [gone]], 10 * minuteMs)).toBe(60);
    expect(unavailableSeconds([[gone]], 10 * minuteMs - 1)).toBeNull();
    expect(unavailableSeconds([[gone], [closedBreaker]], 10 * minuteMs)).toBeNull();
    expect(unavailableSeconds([], 10 * minuteMs)).toBeNull();
  });

  test('immediately takes none while a budget pauses for longer, until its day is nearly over', () => {
    const spent = afterBudget(closedBreaker, 3 * hourMs);
    expect(spent).toMatchObject({ openedAt: 3 * hourMs, openUntil: 24 * hourMs });
    expect(unavailableSeconds([[closedBreaker, spent ?? closedBreaker]], 3 * hourMs)).toBe(
      21 * 3600,
    );
    expect(unavailableSeconds([[spent ?? closedBreaker]], 24 * hourMs)).toBeNull();
  });

  test('takes orders again when a probe is due', () => {
    expect(unavailableSeconds([[gone]], 11 * minuteMs)).toBeNull();
  });

  test('has had problems since its last route went out of service', () => {
    const later = failed(maxFailures, 5 * minuteMs);
    expect(problemsSince([[closedBreaker, gone], [later]])).toBe(5 * minuteMs);
    expect(problemsSince([[gone, later]])).toBe(0);
    expect(problemsSince([[gone], [closedBreaker]])).toBeNull();
    expect(problemsSince([])).toBeNull();
  });

  test('is unavailable by the breaker of its provider as by its own', () => {
    const later = { ...gone, openUntil: 12 * minuteMs };
    expect(unavailableSeconds([[closedBreaker, gone]], 10 * minuteMs)).toBe(60);
    expect(unavailableSeconds([[gone, later]], 10 * minuteMs)).toBe(120);
    expect(
      unavailableSeconds(
        [
          [gone, later],
          [closedBreaker, gone],
        ],
        10 * minuteMs,
      ),
    ).toBe(60);
    expect(
      unavailableSeconds(
        [
          [gone, closedBreaker],
          [closedBreaker, closedBreaker],
        ],
        0,
      ),
    ).toBeNull();
  });
});

test('a budget pauses once a day, tries again after a refund, and opens when an order fits', () => {
  const spent = afterBudget(closedBreaker, hourMs) ?? closedBreaker;
  expect(afterBudget(spent, 2 * hourMs)).toBeNull();
  const probed = { ...spent, openUntil: 3 * hourMs };
  expect(admits(probed, 3 * hourMs)).toBe('probe');
  expect(afterBudget(probed, 3 * hourMs)).toEqual(spent);
  expect(afterBudget(spent, 25 * hourMs)).toMatchObject({ openedAt: 25 * hourMs });
  expect([closeBudget(spent), closeBudget(closedBreaker)]).toEqual([closedBreaker, null]);
  const usd = { currency: 'USD', micros: 1 };
  const keys = breakerKeys({ provider: 'a', model: 'b', budget: usd });
  expect(keys).toEqual(['a b', 'budget: a 1 USD', 'a']);
  const route = { provider: 'a', model: 'b', budget: null };
  expect(breakerKeys(route)).toEqual(['a b', 'a']);
  const fileHosts = () => ['files.example'];
  expect(breakerKeys({ ...route, fileHosts })).toEqual(['a b', 'a files files.example', 'a']);
});

const signs = fc.array(
  fc.record({
    waitMs: fc.nat(2 * minuteMs),
    health: fc.oneof(
      fc.constant<ProviderHealth>(success),
      fc.constant<ProviderHealth>(failure),
      fc.record({
        kind: fc.constant('busy' as const),
        retryAfterMs: fc.option(fc.integer({ min: -1000, max: 1e9 })),
      }),
    ),
  }),
  { maxLength: 60 },
);

test('whatever happens, a provider gets another chance within five minutes', () => {
  fc.assert(
    fc.property(signs, (course) => {
      let breaker = closedBreaker;
      let nowMs = 1_000_000;
      for (const { waitMs, health } of course) {
        nowMs += waitMs;
        breaker = takeProbe(breaker, nowMs) ?? breaker;
        breaker = after(breaker, health, nowMs);
        expect(admits(breaker, nowMs + 5 * minuteMs)).not.toBe('no');
        // Closed off exactly after enough consecutive failures.
        expect(breaker.openedAt !== null).toBe(breaker.failures >= maxFailures);
        expect(breaker.openedAt ?? nowMs).toBeLessThanOrEqual(nowMs);
      }
    }),
  );
});

test('of any number of takers, one gets the probe', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 5, max: 40 }),
      fc.integer({ min: 1, max: 9 }),
      (times, takers) => {
        let breaker = failed(times);
        const nowMs = breaker.openUntil;
        const taken = Array.from({ length: takers }, () => {
          const next = takeProbe(breaker, nowMs);
          breaker = next ?? breaker;
          return next !== null;
        });
        expect(taken.filter(Boolean)).toHaveLength(1);
      },
    ),
  );
});
