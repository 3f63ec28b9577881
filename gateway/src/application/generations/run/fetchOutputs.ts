import { messageOf, minuteMs } from '@framegate/contract';
import { TransferError, withTimeLimit } from '@framegate/limits';
import { ReaderError } from '@framegate/media/errors';
import type { PollResult } from '@framegate/provider-routes';
import { type Attempt, withLastAttempt } from '../../../domain/generations/attempt.ts';
import type { Generation } from '../../../domain/generations/generation.ts';
import { backoffMs } from '../../../domain/time/backoff.ts';
import type { AppCore } from '../../app.ts';
import { StaleWriteError } from '../../ports/database.ts';
import { completeGeneration, refuseResult } from '../deliver/completeGeneration.ts';
import { afterReading, DoubtfulResultError, isOfReading } from '../deliver/judgeResult.ts';
import { keepIfPossible } from '../deliver/refusedResults.ts';
import { watchFetches } from '../deliver/watchFetches.ts';
import { endGeneration } from '../end/endGeneration.ts';
import { reportLost, withLostReason } from './paidWork.ts';
import { retryDelayMs } from './pollDelay.ts';
import { recordFetch } from './providerHealth.ts';

/** Longest pause before refetching a bad file, in ms. */
const maxBadFileDelayMs = 30_000;
/** Longest pause before refetching a bad file that is costly to transfer or read, in ms. */
const maxCostlyDelayMs = 5 * minuteMs;
/** How long before the end of the grace a file is fetched for the last time, in ms. */
const lastTryMs = 5_000;

/**
 * Fetches and stores the provider's files and completes the generation. A result that was finished at the deadline is
 * still fetched during a grace, so that a slow download or store loses no paid work. A process that arrives after the
 * grace tries once, for the length of one lease.
 * @returns The next attempt in ms since the epoch; null once ended.
 */
export async function fetchOutputs(
  deps: AppCore,
  generation: Generation,
  { outputs }: Extract<PollResult, { kind: 'completed' }>,
  keptResponse: Pick<Attempt, 'responses' | 'reported' | 'charged'>,
  signal: AbortSignal,
): Promise<number | null> {
  const { clock, log, timings } = deps;
  const finishedAt = clock.now();
  const { deadlineAt, startedAt } = generation;
  const until = Math.max(deadlineAt + timings.deadlineGraceMs, finishedAt + timings.leaseMs);
  const attempts = withLastAttempt(generation.attempts, { outcome: 'completed', ...keptResponse });
  const { provider = '', fetches } = attempts.at(-1) ?? {};
  const files = watchFetches(outputs);
  try {
    await withTimeLimit(until - finishedAt, signal, (limited) =>
      completeGeneration(deps, generation, attempts, files.outputs, limited),
    ).finally(async () => {
      if (signal.aborted) return;
      // A generation reports a failing host only once, however often it retries.
      const fetchesToNote = files
        .fetches()
        .filter(({ hasWorked }) => hasWorked || fetches === undefined);
      for (const each of fetchesToNote) await recordFetch(deps, provider, each);
    });
    return null;
  } catch (error) {
    if (signal.aborted || error instanceof StaleWriteError) throw error;
    log.warn({ generationId: generation.id, error }, 'failed to fetch and store outputs');
    const nowMs = clock.now();
    const firstMs = retryDelayMs(deps, nowMs - (startedAt ?? nowMs));
    const maxMs = maxDelayMs(error);
    const failures = (fetches?.attempts ?? 0) + 1;
    const pauseMs = maxMs === null ? firstMs : backoffMs({ firstMs, maxMs }, failures);
    const graceEndsAt = deadlineAt + timings.deadlineGraceMs;
    // A long pause leaves time for a last attempt.
    const lastTryAt = Math.max(nowMs + timings.minPollDelayMs, graceEndsAt - lastTryMs);
    const next = Math.min(nowMs + pauseMs, nowMs + lastTryMs < lastTryAt ? lastTryAt : Infinity);
    if (next < graceEndsAt) {
      await recordUnfetched(
        deps,
        generation,
        { finishedAt, ...keptResponse },
        { at: nowMs, error },
      );
      return next;
    }
    if (error instanceof DoubtfulResultError) {
      await refuseResult(deps, generation, attempts, error.refusal, outputs, signal);
      return null;
    }
    const lostAttempts = withLostReason(attempts, 'not_stored', error);
    const lost = await keepIfPossible(deps, generation, lostAttempts, outputs);
    await endGeneration(deps, generation, {
      status: 'failed',
      failure: { code: 'generation_timeout' },
      note: 'finished by the provider, but its files could not be fetched and stored in time',
      attempts: lost,
      mustBePastDeadline: true,
    });
    reportLost(deps, generation, lost, 'not_stored');
    return null;
  }
}

/** The longest of the growing pauses after a failed download, in ms; null if its pauses do not grow. */
function maxDelayMs(error: unknown): number | null {
  const isTooLarge = error instanceof TransferError && error.kind === 'too_large';
  if (!isTooLarge && !isOfReading(error)) return null;
  return isTooLarge || error instanceof ReaderError ? maxCostlyDelayMs : maxBadFileDelayMs;
}

/** Maximum length of a stored download error, in characters. */
const maxFetchError = 300;

/** Records once that only the files are missing and, for staff, each failed fetch. */
async function recordUnfetched(
  { database }: AppCore,
  generation: Generation,
  fields: Pick<Attempt, 'responses' | 'reported' | 'charged'> & { finishedAt: number },
  { at, error }: { at: number; error: unknown },
): Promise<void> {
  const { finishedAt, fetches } = generation.attempts.at(-1) ?? {};
  const isFirst = finishedAt === undefined;
  const reason = messageOf(error);
  const what = 'finished by the provider; its files have not been fetched yet';
  await database.generations.update(generation, {
    attempts: withLastAttempt(afterReading(generation.attempts, error), {
      ...(isFirst && fields),
      fetches: {
        attempts: (fetches?.attempts ?? 0) + 1,
        at,
        error: reason.slice(0, maxFetchError),
      },
    }),
    ...(isFirst && { timeline: [{ at: fields.finishedAt, what }] }),
  });
}
