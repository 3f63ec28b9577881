import type { Breaker, BreakerRule } from '../../domain/breaker.ts';

/**
 * How providers are doing, over all processes: one small document for each, which workers write and
 * everyone reads every few seconds.
 */
export interface BreakerStore {
  /** As it was a few seconds ago at most; kept in memory. */
  of(provider: string): Breaker;
  /**
   * Applies a rule to the newest state. It may run more than once; null changes nothing.
   * @returns the state after it; null when nothing was changed.
   */
  change(provider: string, rule: BreakerRule): Promise<Breaker | null>;
}
