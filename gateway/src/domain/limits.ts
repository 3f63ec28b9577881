/** What an account may do at once and per minute; each is settable per account. */
export interface Limits {
  /** Creates a minute; refused ones count, replays are free. */
  createsPerMinute: number;
  /** Creates at once. */
  burst: number;
  /** Generations that run at a time. */
  running: number;
  /** Generations that may wait as `queued` beyond those. */
  waiting: number;
  statusReadsPerMinute: number;
  otherReadsPerMinute: number;
}

/** The limits of an account without settings of its own. */
export const defaultLimits: Limits = {
  createsPerMinute: 60,
  burst: 10,
  running: 10,
  waiting: 200,
  statusReadsPerMinute: 600,
  otherReadsPerMinute: 120,
};

/** How people name and set one limit. */
export interface LimitRule {
  limit: keyof Limits;
  /** In LIMITS_FILE and in the output of commands; their flags have hyphens instead. */
  name: string;
  /** In the staff console. */
  label: string;
  min: number;
}

/** Every limit, in the order in which people see them. */
export const limitRules: readonly LimitRule[] = [
  { limit: 'createsPerMinute', name: 'creates_per_minute', label: 'Creates per minute', min: 1 },
  { limit: 'burst', name: 'burst', label: 'Creates at once', min: 1 },
  { limit: 'running', name: 'running', label: 'Running at a time', min: 1 },
  { limit: 'waiting', name: 'waiting', label: 'Waiting at a time', min: 0 },
  {
    limit: 'statusReadsPerMinute',
    name: 'status_reads_per_minute',
    label: 'Status reads per minute',
    min: 1,
  },
  {
    limit: 'otherReadsPerMinute',
    name: 'other_reads_per_minute',
    label: 'Other reads per minute',
    min: 1,
  },
];

/** The largest value that a limit can be set to. */
export const maxLimit = 1_000_000_000;
