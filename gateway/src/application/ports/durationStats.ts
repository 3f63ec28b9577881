import type { Generation } from '../../domain/generation.ts';
import type { PollPlan } from '../../domain/pollPlan.ts';

/** What generations take from the provider's getting them to the end. */
export interface UsualWork {
  /** Half are done by then, in seconds. */
  median: number;
  /** When to poll; made when it is first asked for. */
  plan(): PollPlan;
}

/** What models have taken lately; kept in memory, read from the database beside the requests. */
export interface DurationStats {
  /** @param parameters Their size counts when enough of that size were seen. */
  usual(modelId: string, parameters?: Generation['parameters']): UsualWork;
}
