import type { Generation } from '../domain/generation.ts';
import { withLastAttempt } from '../domain/withLastAttempt.ts';
import { settleGeneration } from './settleGeneration.ts';
import type { WorkDeps } from './workDeps.ts';

/** How often a provider that declares it safe is given the same generation after an unknown outcome. */
const repeatsAtMost = 3;
/** How long it is left alone before that, times the number of unknown outcomes, in ms. */
const repeatAfterMs = 500;

/**
 * Ends or repeats a submission whose outcome nobody knows: repeated only where the operator's route
 * says that this is safe, otherwise failed and refunded at once, and shown to staff (I6).
 */
export async function settleUnknown(deps: WorkDeps, generation: Generation): Promise<void> {
  const last = generation.attempts.at(-1);
  const route = last && deps.routes.find(last.provider, last.model);
  const attempts = withLastAttempt(generation.attempts, { outcome: 'unknown' });
  const unknowns = attempts.filter(({ outcome }) => outcome === 'unknown').length;
  if (route?.safeToRepeat && unknowns < repeatsAtMost) {
    const dueAt = deps.clock.now() + unknowns * repeatAfterMs;
    const change = { step: 'ready' as const, attempts, dueAt, leaseUntil: 0 };
    return deps.database.generations.update(generation, change);
  }
  deps.log.error({ generationId: generation.id }, 'a submission has an unknown outcome');
  await settleGeneration(deps, generation, {
    status: 'failed',
    failure: { code: 'generation_failed' },
    note: 'the outcome of the submission is unknown',
    attempts,
  });
}
