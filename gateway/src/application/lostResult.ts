import type { Attempt, Generation, LostReason } from '../domain/generation.ts';
import { withLastAttempt } from '../domain/withLastAttempt.ts';
import type { WorkDeps } from './workDeps.ts';

/** The attempts with the reason why the last one's finished result is not delivered. */
export function withLost(attempts: readonly Attempt[], reason: LostReason, error: unknown) {
  const note = error instanceof Error ? error.message : String(error);
  return withLastAttempt(attempts, { lost: { reason, note } });
}

/**
 * Tells the operator that a result which a provider has finished, and may bill, is not delivered: an
 * alert in the log and a count in the metrics.
 */
export function reportLost(
  { log, countLost }: Pick<WorkDeps, 'log' | 'countLost'>,
  { id }: Pick<Generation, 'id'>,
  attempts: readonly Attempt[],
  reason: LostReason,
): void {
  const { provider = '', model, number, operation } = attempts.at(-1) ?? {};
  const where = { provider, model, attempt: number, operation };
  log.error(
    { alert: 'paid_result_lost', generationId: id, ...where, reason },
    "a provider's finished result was not delivered",
  );
  countLost(provider, reason);
}
