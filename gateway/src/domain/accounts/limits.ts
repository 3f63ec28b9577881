import { type LimitName, limitNames } from '@framegate/contract';

/** Limits of an account, each of which has a default. */
export interface Limits {
  /** Create requests per minute; refused ones count, replays are free. */
  createsPerMinute: number;
  /** Create requests at once, as a burst. */
  burst: number;
  /** Maximum generations running at a time. */
  running: number;
  /** Maximum further generations waiting as `queued`. */
  waiting: number;
  statusReadsPerMinute: number;
  otherReadsPerMinute: number;
}

/** The limits of an account that sets none. */
export const defaultLimits: Limits = {
  createsPerMinute: 60,
  burst: 10,
  running: 10,
  waiting: 200,
  statusReadsPerMinute: 600,
  otherReadsPerMinute: 120,
};

/** Name, label and lowest value of one limit. */
export interface LimitRule {
  limit: keyof Limits;
  /** Name in LIMITS_FILE, in the output of commands and in the operator API; command flags use hyphens instead. */
  name: LimitName;
  /** Label in the staff console. */
  label: string;
  min: number;
}
const rule = (limit: keyof Limits, name: LimitName, label: string): LimitRule => ({
  limit,
  name,
  label,
  min: limitNames[name],
});

/** All limits in display order. */
export const limitRules: readonly LimitRule[] = [
  rule('createsPerMinute', 'creates_per_minute', 'Create requests per minute'),
  rule('burst', 'burst', 'Create requests at once'),
  rule('running', 'running', 'Running at a time'),
  rule('waiting', 'waiting', 'Waiting at a time'),
  rule('statusReadsPerMinute', 'status_reads_per_minute', 'Status reads per minute'),
  rule('otherReadsPerMinute', 'other_reads_per_minute', 'Other reads per minute'),
];

/** Limits under their external names. */
export function namedLimits(limits: Limits): Record<LimitName, number> {
  const entries = limitRules.map(({ limit, name }) => [name, limits[limit]] as const);
  return Object.fromEntries(entries) as Record<LimitName, number>;
}

/** The account's own limits, with the operator's defaults for the rest. */
export function effectiveLimits(account: { limits: Partial<Limits> }, defaults: Limits): Limits {
  return { ...defaults, ...account.limits };
}
