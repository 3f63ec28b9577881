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
