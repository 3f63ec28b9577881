import { minuteMs, type Status } from '@framegate/contract';
import type { GenerationStep } from '../../domain/generations/work.ts';

/** Longest time from an end's own timestamp until it is readable, in ms. */
export const writtenWithinMs = 2 * minuteMs;

/** Unfinished generations of one step and model, by age. */
export interface OpenFigure {
  step: GenerationStep;
  status: Status;
  model: string;
  count: number;
  /** Creation time of the oldest. */
  oldestAt: number;
  oldestId: string;
  /** Counts by age up to 1 minute, 10 minutes, 1 hour, and above. */
  ages: [number, number, number, number];
}

/** Figures on unfinished work. Times in ms since the epoch. */
export interface OpenFigures {
  readAt: number;
  /** Oldest first. */
  open: OpenFigure[];
  /** Due generation jobs that no worker has taken, counted up to 10,000. */
  jobsDue: number;
  /** Age of the longest-due of them, in ms; 0 without one. */
  jobLagMs: number;
  /** Unresolved submissions of unknown outcome, counted up to 1,000. */
  unresolved: number;
  /** Generations currently at providers, by provider. */
  withProviders: Map<string, number>;
}

/** A generation that ended recently. */
export interface EndedFigure {
  model: string;
  /** `provider model` of the last attempt; null without one. */
  route: string | null;
  status: 'completed' | 'failed';
  /** Duration from creation to end. */
  seconds: number;
}

/** Figures on recent ends. */
export interface EndFigures {
  /** The newest ends of the last day, at most a few thousand. */
  ended: EndedFigure[];
  /** Ends of the last hour by minute, oldest first. */
  minutes: { completed: number; failed: number }[];
  /** Since midnight (UTC). */
  refundsToday: { count: number; credits: number };
}

/** Reads figures on unfinished work, within 5 s per query. */
export type FindOpenFigures = () => Promise<OpenFigures>;

/** Reads figures on recent ends, within 5 s per query. */
export type FindEndFigures = () => Promise<EndFigures>;

/** Sums of credits across all accounts. */
export interface CreditTotals {
  /** Credits that can still be spent or will expire: the sum of the ledger. */
  available: number;
  inFlight: number;
}

/** Sums the accounts' credits. Reads every account, so call it at most once a minute. */
export type FindCreditTotals = () => Promise<CreditTotals>;
