import type { Limits } from '../domain/limits.ts';
import type { Flags } from './flags.ts';

/** The largest limit that can be set. */
const limitMax = 1_000_000_000;

/** The flags of `account limits`, with the limit that each sets and its least value. */
export const limitFlags: Readonly<Record<string, { limit: keyof Limits; min: number }>> = {
  'creates-per-minute': { limit: 'createsPerMinute', min: 1 },
  burst: { limit: 'burst', min: 1 },
  running: { limit: 'running', min: 1 },
  waiting: { limit: 'waiting', min: 0 },
  'status-reads-per-minute': { limit: 'statusReadsPerMinute', min: 1 },
  'other-reads-per-minute': { limit: 'otherReadsPerMinute', min: 1 },
};

/** The limits that flags name. @throws UsageError for a wrong number. */
export function readLimitFlags(flags: Flags): Partial<Limits> {
  const named = Object.entries(limitFlags).flatMap(([name, { limit, min }]) => {
    const value = flags.whole(name, min, limitMax);
    return value === undefined ? [] : [[limit, value] as const];
  });
  return Object.fromEntries(named);
}

/** Limits as commands and LIMITS_FILE write them: the flags' names with underscores. */
export function presentLimits(limits: Limits): Record<string, number> {
  return Object.fromEntries(
    Object.entries(limitFlags).map(([name, { limit }]) => [
      name.replaceAll('-', '_'),
      limits[limit],
    ]),
  );
}
