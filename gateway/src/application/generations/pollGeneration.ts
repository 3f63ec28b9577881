import type { FailureCode } from '@framegate/contract';
import { type Attempt, type ProviderAnswer, withLastAttempt } from '../../domain/attempt.ts';
import type { Generation, LookedAt } from '../../domain/generation.ts';
import { arrivedOutputs } from './arrivedFiles.ts';
import { cancelAtProvider, providerRequest } from './providerRequest.ts';
import { completeGeneration } from './completeGeneration.ts';
import { keepIfPossible } from './refusedResults.ts';
import { reportLost, withLost } from './paidWork.ts';
import type { PollResult } from '../ports/providers.ts';
import { StaleWrite } from '../ports/database.ts';
import { withinTime } from '@framegate/limits';
import { noteFetch } from './providerHealth.ts';
import { giveBack } from './providerLimits.ts';
import { watchFetches } from './watchFetches.ts';
import { endGeneration } from './endGeneration.ts';
import type { WorkDeps } from './deps.ts';

/** Shortest pause between two polls of a generation, in ms. */
export const minPollDelayMs = 500;
/** Longest pause while few are in flight, in ms: an end is noticed within 5 s. */
const quietMaxDelayMs = 4_000;
/** Longest pause while many are in flight, in ms: an end is noticed within 10 s. */
const busyMaxDelayMs = 8_000;
/** Polls per second of one process up to which the shorter pauses apply. */
const pollsPerSecond = 1_250;
/** A job fails after this many consecutive polls that report it finished without a readable result. */
const maxUnreadableResults = 3;

/**
 * The pause in ms before the next poll of a generation that has run for `runningMs`, in a process with `inFlight`
 * generations to poll: about a twelfth of its running time, longer if polling would exceed `pollsPerSecond`.
 */
export function pollDelayMs(runningMs: number, inFlight: number): number {
  const spreadMs = Math.min(busyMaxDelayMs, (inFlight / pollsPerSecond) * 1000);
  const shortestMs = Math.max(minPollDelayMs, spreadMs);
  return Math.min(Math.max(quietMaxDelayMs, spreadMs), Math.max(shortestMs, runningMs / 12));
}

/** The pause after a failed poll or download of a generation that has run for `runningMs`, in ms. */
function retryDelayMs(runningMs: number): number {
  return 2 * Math.min(busyMaxDelayMs, Math.max(minPollDelayMs, runningMs / 12));
}

/** Asks the provider about a submitted generation, unless we already have its files. Throws only when aborted. */
export async function pollProvider(
  deps: WorkDeps,
  generation: LookedAt,
  signal: AbortSignal,
): Promise<PollResult> {
  const attempt = generation.attempts.at(-1);
  if (attempt?.arrived) {
    return { kind: 'completed', outputs: arrivedOutputs(deps, attempt.arrived.keys) };
  }
  const route = attempt && deps.routes.find(attempt.provider, attempt.model, attempt.key);
  if (!route) return { kind: 'fault', note: 'the operator no longer has this route' };
  try {
    const { operation, operationFrom, key } = attempt;
    const request = providerRequest(deps, generation);
    const result = await route.poll(operation, request, signal, operationFrom, key);
    return deps.explainGoneKey(route, attempt, result);
  } catch (error) {
    if (signal.aborted) throw error;
    return { kind: 'fault', note: String(error) };
  }
}

/**
 * Acts on the result of a poll: keeps waiting, fetches the files, or fails and refunds. Only a verdict or the
 * deadline ends a generation; a failed poll never does.
 * @returns The next poll in ms since the epoch; null once ended.
 */
export async function actOnPoll(
  deps: WorkDeps,
  generation: Generation,
  result: PollResult,
  signal: AbortSignal,
): Promise<number | null> {
  const now = deps.clock.now();
  const runningMs = now - (generation.startedAt ?? now);
  const { answer, reported } = result.kind === 'pending' ? {} : result;
  const keptAnswer = {
    ...(answer && { answers: { look: { at: now, ...answer } } }),
    ...(reported !== undefined && { reported }),
  };
  const fail = async (code: FailureCode, note: string) => {
    const isFree = 'isFree' in result && result.isFree;
    const outcome = { outcome: 'failed', note, ...keptAnswer, ...(isFree && { isFree }) } as const;
    const attempts = withLastAttempt(generation.attempts, outcome);
    await endGeneration(deps, generation, { status: 'failed', failure: { code }, note, attempts });
    const last = attempts.at(-1);
    const route = last && deps.routes.find(last.provider, last.model);
    if (isFree && route) await giveBack(deps, route, last);
    return null;
  };
  if (result.kind === 'failed') return fail(result.code, result.note);
  if (result.kind === 'completed') return takeOver(deps, generation, result, keptAnswer, signal);
  if (result.kind === 'fault') {
    deps.log.warn({ generationId: generation.id, note: result.note }, 'a poll gave no result');
    const unreadableResults = result.isFinished
      ? (generation.attempts.at(-1)?.unreadableResults ?? 0) + 1
      : 0;
    if (unreadableResults >= maxUnreadableResults) {
      const note = `finished, but without a result that can be read: ${result.note}`;
      return fail('generation_failed', note);
    }
    const fault = faultOf(answer);
    await noteFault(deps, generation, { fault, unreadableResults, ...keptAnswer });
  }
  if (now < generation.deadlineAt) {
    return Math.min(now + retryDelayMs(runningMs), generation.deadlineAt);
  }
  await endGeneration(deps, generation, {
    status: 'failed',
    failure: { code: 'generation_timeout' },
    note: 'not finished at its deadline',
    onlyPastDeadline: true,
  });
  await cancelAtProvider(deps, generation);
  return null;
}

/**
 * Fetches and stores the provider's files and completes the generation. A result that was finished at the deadline is
 * still fetched during a grace, so that a slow download or store loses no paid work. A process that arrives after the
 * grace tries once, for the length of one lease.
 * @returns The next try in ms since the epoch; null once ended.
 */
async function takeOver(
  deps: WorkDeps,
  generation: Generation,
  { outputs }: Extract<PollResult, { kind: 'completed' }>,
  keptAnswer: Pick<Attempt, 'answers' | 'reported'>,
  signal: AbortSignal,
): Promise<number | null> {
  const { clock, log, timings } = deps;
  const finishedAt = clock.now();
  const { deadlineAt, startedAt } = generation;
  const until = Math.max(deadlineAt + timings.deadlineGraceMs, finishedAt + timings.leaseMs);
  const attempts = withLastAttempt(generation.attempts, { outcome: 'completed', ...keptAnswer });
  const { provider = '', fetches } = attempts.at(-1) ?? {};
  const files = watchFetches(outputs);
  try {
    await withinTime(until - finishedAt, signal, (limited) =>
      completeGeneration(deps, generation, attempts, files.outputs, limited),
    ).finally(async () => {
      if (signal.aborted) return;
      // A generation reports a failing host only once, however often it retries.
      const told = files.fetches().filter(({ worked }) => worked || fetches === undefined);
      for (const each of told) await noteFetch(deps, provider, each);
    });
    return null;
  } catch (error) {
    if (signal.aborted || error instanceof StaleWrite) throw error;
    log.warn({ generationId: generation.id, error }, 'outputs could not be fetched and stored');
    const now = clock.now();
    const next = now + retryDelayMs(now - (startedAt ?? now));
    if (next < deadlineAt + timings.deadlineGraceMs) {
      await noteUnfetched(deps, generation, { finishedAt, ...keptAnswer }, { at: now, error });
      return next;
    }
    const found = withLost(attempts, 'not_stored', error);
    const lost = await keepIfPossible(deps, generation, found, outputs);
    await endGeneration(deps, generation, {
      status: 'failed',
      failure: { code: 'generation_timeout' },
      note: 'finished by the provider, but its files could not be fetched and stored in time',
      attempts: lost,
      onlyPastDeadline: true,
    });
    reportLost(deps, generation, lost, 'not_stored');
    return null;
  }
}

/** Maximum length of a stored download error, in characters. */
const maxFetchError = 300;

/** Records once that only the files are missing and, for staff, each failed fetch. */
async function noteUnfetched(
  { database }: WorkDeps,
  generation: Generation,
  found: Pick<Attempt, 'answers' | 'reported'> & { finishedAt: number },
  { at, error }: { at: number; error: unknown },
): Promise<void> {
  const { finishedAt, fetches } = generation.attempts.at(-1) ?? {};
  const isFirst = finishedAt === undefined;
  const reason = error instanceof Error ? error.message : String(error);
  const what = 'made by the provider; its files are not here yet';
  await database.generations.update(generation, {
    attempts: withLastAttempt(generation.attempts, {
      ...(isFirst && found),
      fetches: { tries: (fetches?.tries ?? 0) + 1, at, error: reason.slice(0, maxFetchError) },
    }),
    ...(isFirst && { timeline: [{ at: found.finishedAt, what }] }),
  });
}

/** Stores a fault only if it differs from the last one: polls are frequent and tend to fail alike. */
async function noteFault(
  { database }: WorkDeps,
  generation: Generation,
  change: Pick<Attempt, 'answers'> & Required<Pick<Attempt, 'fault' | 'unreadableResults'>>,
): Promise<void> {
  const { fault, unreadableResults = 0 } = generation.attempts.at(-1) ?? {};
  if (fault === change.fault && unreadableResults === change.unreadableResults) return;
  await database.generations.update(generation, {
    attempts: withLastAttempt(generation.attempts, change),
  });
}

/** A short name of a fault, constant while the trouble lasts. */
function faultOf(answer: ProviderAnswer | undefined): string {
  const { status = null, failure = null } = answer ?? {};
  return failure ?? (status === null ? 'no answer' : `status ${String(status)}`);
}
