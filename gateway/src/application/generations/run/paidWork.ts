import { messageOf, minuteMs } from '@framegate/contract';
import { pause } from '@framegate/limits';
import {
  type Attempt,
  type LostReason,
  withLastAttempt,
} from '../../../domain/generations/attempt.ts';
import type { Generation } from '../../../domain/generations/generation.ts';
import type { GenerationRef } from '../../../domain/generations/order.ts';
import { backoffMs, jitter } from '../../../domain/time/backoff.ts';
import { isoTime } from '../../../domain/time/isoTime.ts';
import type { AppCore } from '../../app.ts';
import { StaleWriteError } from '../../ports/database.ts';
import { isOfReading } from '../deliver/judgeResult.ts';
import { cancelAtProvider } from './providerRequest.ts';

/** Pauses between attempts. */
const pace = { firstMs: 500, maxMs: 5_000 };
/** Pauses after a failed reading of the file, which costs a transfer or the time of a reader. */
const readingPace = { ...pace, maxMs: 5 * minuteMs };

/**
 * Stores a provider's accepted or finished work that exists only in this process. Failures of the store or the database
 * are retried until a grace after the generation's deadline, or until the process has to stop.
 * @param generation As written after the submission, with its running deadline.
 * @param store Makes one attempt within the given ms.
 * @returns Null once stored; else the reason for giving up and the last error.
 * @throws StaleWriteError if another process has the generation.
 */
export async function retryUntilStored(
  { clock, log, random, timings }: AppCore,
  generation: Generation,
  signal: AbortSignal,
  store: (leftMs: number) => Promise<void>,
): Promise<{ reason: LostReason; error: unknown } | null> {
  const giveUpAt = generation.deadlineAt + timings.deadlineGraceMs;
  for (let failures = 1; ; failures += 1) {
    try {
      await store(Math.max(0, giveUpAt - clock.now()));
      return null;
    } catch (error) {
      if (error instanceof StaleWriteError) throw error;
      log.warn({ generationId: generation.id, error }, 'failed to store paid work');
      const plannedMs = backoffMs(isOfReading(error) ? readingPace : pace, failures);
      const pauseMs = jitter(plannedMs, random.fraction());
      const isOver = clock.now() + pauseMs >= giveUpAt;
      if (!signal.aborted && !isOver) await pause(pauseMs, signal);
      if (signal.aborted) return { reason: 'process_stopped', error };
      if (isOver) return { reason: 'not_stored', error };
    }
  }
}

/** The attempts, with the reason why the last one's paid work was not delivered. */
export function withLostReason(attempts: readonly Attempt[], reason: LostReason, error: unknown) {
  const note = messageOf(error);
  return withLastAttempt(attempts, { lost: { reason, note } });
}

/**
 * Gives up paid work on a generation that this process may no longer write: records the loss and the provider's handle
 * in the attempt (even after the end), reports it, and asks the provider to cancel.
 */
export async function abandonWork(
  deps: AppCore,
  generation: GenerationRef,
  attempts: readonly Attempt[],
  reason: LostReason,
  error: unknown,
): Promise<void> {
  const { database, log } = deps;
  const { id, accountId } = generation;
  const lost = withLostReason(attempts, reason, error);
  reportLost(deps, { id }, lost, reason);
  const record = async () => {
    const last = lost.at(-1);
    if (last) await database.generations.recordLost(generation, last);
  };
  await Promise.all([
    record().catch((failure: unknown) => {
      log.warn({ generationId: id, error: failure }, 'failed to record a loss');
    }),
    cancelAtProvider(deps, { id, accountId, attempts: lost }),
  ]);
}

/**
 * Reports undelivered work that the provider accepted or finished and may bill: an alert in the log and a count in
 * the metrics.
 */
export function reportLost(
  { log, recordLost }: Pick<AppCore, 'log' | 'recordLost'>,
  { id }: Pick<GenerationRef, 'id'>,
  attempts: readonly Attempt[],
  reason: LostReason,
): void {
  const last: Partial<Attempt> = attempts.at(-1) ?? {};
  const { provider = '', model, number: attempt } = last;
  const where = { provider, model, attempt, operation: last.operationShown ?? last.operation };
  const keptFields = last.refused && {
    keptUntil: isoTime(last.refused.until),
    page: `/staff/generations/${id}`,
  };
  log.error(
    { alert: 'paid_result_lost', generationId: id, ...where, reason, ...keptFields },
    keptFields
      ? 'result that the provider may bill was not delivered; its files are kept, and staff can deliver them from the generation page'
      : 'result that the provider may bill was not delivered',
  );
  recordLost(provider, reason);
}
