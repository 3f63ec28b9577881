import type { Attempt } from './generation.ts';

/** A generation's attempts, with a change of the last one: the only one that can still change. */
export function withLastAttempt(attempts: readonly Attempt[], change: Partial<Attempt>): Attempt[] {
  return attempts.map((attempt, index) =>
    index === attempts.length - 1 ? { ...attempt, ...change } : attempt,
  );
}
