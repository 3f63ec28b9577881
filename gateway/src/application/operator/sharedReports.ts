import { createKeyedLimiter, NoFreePlace, runInTime } from '@framegate/limits';
import { Refusal } from '../../domain/refusal.ts';
import type { FindUsage } from '../ports/operator.ts';
import type { Clock } from '../ports/system.ts';

/** Reports that one process computes at once: each reads all generations of its days. */
const atOnce = 2;
/** Further ones that wait, and their longest wait in ms. */
const waiting = { most: 20, ms: 5_000 };
/** How long a report is reused, in ms, and how many are kept: each may have thousands of rows. */
const kept = { ms: 60_000, most: 8 };
const retryAfterSeconds = 10;

/**
 * Bounds the work of reports in one process: two at once, the same question once a minute, however many keys ask.
 * @throws Refusal `service_unavailable` for a report that found no place in time.
 */
export function shareReports(findUsage: FindUsage, clock: Pick<Clock, 'now'>): FindUsage {
  const busy = () =>
    new Refusal('service_unavailable', {
      message: 'Too many reports are being computed. Repeat the request later.',
      retryAfterSeconds,
    });
  const places = createKeyedLimiter({
    perKey: atOnce,
    queue: { max: waiting.most, refuse: busy },
  });
  const known = new Map<string, { until: number; found: ReturnType<FindUsage> }>();

  async function compute(question: Parameters<FindUsage>[0]) {
    const { signal } = new AbortController();
    try {
      return await runInTime(places, 'reports', waiting.ms, () => findUsage(question), signal);
    } catch (error) {
      throw error instanceof NoFreePlace ? busy() : error;
    }
  }

  function dropOld(now: number): void {
    const done = [...known].filter(([, { until }]) => until < Infinity);
    const extra = done.length - kept.most;
    for (const [index, [name, { until }]] of done.entries()) {
      if (until <= now || index < extra) known.delete(name);
    }
  }

  return (question) => {
    const name = JSON.stringify(question);
    dropOld(clock.now());
    const before = known.get(name);
    if (before) return before.found;
    const report = { until: Infinity, found: compute(question) };
    known.set(name, report);
    report.found.then(
      () => (report.until = clock.now() + kept.ms),
      () => known.delete(name),
    );
    return report.found;
  };
}
