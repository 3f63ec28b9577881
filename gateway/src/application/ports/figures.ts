import type { Generation } from '../../domain/generation.ts';

/** Unfinished generations of one step and model, by how long ago they were created. */
export interface OpenFigure {
  step: Generation['step'];
  status: Generation['status'];
  model: string;
  count: number;
  /** Creation of the oldest. */
  oldestAt: number;
  oldestId: string;
  /** Counts up to 1 minute, 10 minutes, 1 hour, and beyond. */
  ages: [number, number, number, number];
}

/** What is unfinished. Times in ms since the epoch. */
export interface OpenFigures {
  readAt: number;
  open: OpenFigure[];
  /** Jobs of generations that are due and that no worker has taken, counted up to 10,000. */
  jobsDue: number;
  /** How long the longest due of them has waited, in ms; 0 without one. */
  jobLagMs: number;
  /** Submissions of unknown outcome that are not resolved, counted up to 1,000. */
  unresolved: number;
  /** Generations with providers now, by provider. */
  withProviders: Map<string, number>;
}

/** A generation that ended lately. */
export interface EndedFigure {
  model: string;
  /** `provider model` of the last attempt; null when none was made. */
  route: string | null;
  status: 'completed' | 'failed';
  /** From creation to end. */
  seconds: number;
}

/** What has ended lately. */
export interface EndFigures {
  /** The newest ends of the last day, at most some thousands. */
  ended: EndedFigure[];
  /** Ends of the last hour by minute, the oldest first. */
  minutes: { completed: number; failed: number }[];
  /** Since midnight (UTC). */
  refundsToday: { count: number; credits: number };
}

/** Reads what is unfinished, within 5 s for each query. */
export type ReadOpenFigures = () => Promise<OpenFigures>;

/** Reads what has ended lately, within 5 s for each query. */
export type ReadEndFigures = () => Promise<EndFigures>;

/** Credits of all accounts together. */
export interface CreditTotals {
  /** What can still be spent or will expire: what the ledger sums up to. */
  available: number;
  inFlight: number;
}

/** Adds up the accounts' credits; reads every account, so ask no oftener than each minute. */
export type ReadCreditTotals = () => Promise<CreditTotals>;
