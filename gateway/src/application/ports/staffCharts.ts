import type { TimeSpan } from '../../domain/providers/openSpans.ts';

/** Number of similar ends within a time step, for the console's charts. */
export interface EndCount {
  model: string;
  status: 'completed' | 'failed';
  /** Provider of the last attempt; null without one. */
  provider: string | null;
  /** Failure code; null if completed. */
  code: string | null;
  count: number;
  refundedCredits: number;
}

/** Number of ends of similar duration within a step. */
export interface SpanCount {
  model: string;
  /** Number of steps between creation and end. */
  lag: number;
  /** Bucket of the duration (`domain/generations/durationBuckets.ts`); null for failed ones. */
  bucket: number | null;
  count: number;
}

/** The sums of one time step, for the console's charts. */
export interface StepSums {
  ends: EndCount[];
  spans: SpanCount[];
}

/** An opening or closing of a provider's circuit; `at` in ms since the epoch. */
export interface CircuitChange {
  provider: string;
  at: number;
  opens: boolean;
}

/** A time step: its start in ms since the epoch, and its length in ms. */
export interface Step {
  from: number;
  lengthMs: number;
}

/** The queries of the console's charts, all indexed. */
export interface ChartQueries {
  sumEnds(step: Step): Promise<StepSums>;
  /** The openings and closings of these providers' circuits in a span, oldest first for each; at most 1,000. */
  listCircuitChanges(providers: readonly string[], span: TimeSpan): Promise<CircuitChange[]>;
  /**
   * Unfinished generations by the number of steps since their creation; steps of this length, the last of which ends
   * at `until`.
   */
  openByAge(step: { until: number; lengthMs: number }): Promise<Map<number, number>>;
}
