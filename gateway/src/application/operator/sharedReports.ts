import type { FindUsage } from '../ports/operator.ts';
import type { Clock } from '../ports/system.ts';

/** How long a report is reused, in ms, and how many are kept: each may have thousands of rows. */
const kept = { ms: 60_000, most: 8 };

/** Computes the same report once a minute in one process, however many keys ask. */
export function shareReports(findUsage: FindUsage, clock: Pick<Clock, 'now'>): FindUsage {
  const known = new Map<string, { until: number; found: ReturnType<FindUsage> }>();

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
    const report = { until: Infinity, found: findUsage(question) };
    known.set(name, report);
    report.found.then(
      () => (report.until = clock.now() + kept.ms),
      () => known.delete(name),
    );
    return report.found;
  };
}
