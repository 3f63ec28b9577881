import { minuteMs } from '@framegate/contract';
import { createCachedReads } from '../cachedReads.ts';
import type { FindUsage } from '../ports/operator.ts';
import type { Clock } from '../ports/system.ts';

/** How long a report is reused, in ms. */
const cachedMs = minuteMs;

/** Computes the same report once a minute in one process, however many keys ask. */
export function shareReports(findUsage: FindUsage, clock: Pick<Clock, 'now'>): FindUsage {
  const find = createCachedReads(clock, {
    // Each may have thousands of rows.
    max: 8,
    read: (question) => findUsage(JSON.parse(question) as Parameters<FindUsage>[0]),
    cachedUntil: (_question, _startedAt, endedAt) => endedAt + cachedMs,
  });
  return (question) => find(JSON.stringify(question));
}
