import type { FailureCode } from '@framegate/contract';
import type { PollResult, ProviderResponse } from '@framegate/provider-routes';
import {
  type Attempt,
  type LostReason,
  withDoubt,
  withLastAttempt,
} from '../../../domain/generations/attempt.ts';
import type { Generation, PolledGeneration } from '../../../domain/generations/generation.ts';
import { addObservation, type Doubt, isProven } from '../../../domain/providers/doubt.ts';
import type { AppCore } from '../../app.ts';
import { arrivedOutputs } from '../deliver/arrivedFiles.ts';
import { endGeneration } from '../end/endGeneration.ts';
import { fetchOutputs } from './fetchOutputs.ts';
import { reportLost, withLostReason } from './paidWork.ts';
import { retryDelayMs } from './pollDelay.ts';
import { refundBudget } from './providerLimits.ts';
import { cancelAtProvider, providerRequest } from './providerRequest.ts';
import { readChargedField } from './reportedCharge.ts';

/** Asks the provider about a submitted generation, unless we already have its files. Throws only when aborted. */
export async function pollProvider(
  deps: AppCore,
  generation: PolledGeneration,
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
    return deps.reportRemovedKey(route, attempt, result);
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
  deps: AppCore,
  generation: Generation,
  result: PollResult,
  signal: AbortSignal,
): Promise<number | null> {
  const nowMs = deps.clock.now();
  const runningMs = nowMs - (generation.startedAt ?? nowMs);
  const { response, reported, charged } = result.kind === 'pending' ? {} : result;
  const keptResponse = {
    ...(response && { responses: { poll: { at: nowMs, ...response } } }),
    ...(reported !== undefined && { reported }),
    ...(await readChargedField(deps, generation, generation.attempts.at(-1), charged)),
  };
  const fail = async (code: FailureCode, note: string, lost?: LostReason) => {
    const isFree = 'isFree' in result && result.isFree;
    const outcome = {
      outcome: 'failed',
      note,
      ...keptResponse,
      ...(isFree && { isFree }),
    } as const;
    const ended = withLastAttempt(generation.attempts, outcome);
    const attempts = lost ? withLostReason(ended, lost, note) : ended;
    await endGeneration(deps, generation, { status: 'failed', failure: { code }, note, attempts });
    if (lost) reportLost(deps, generation, attempts, lost);
    const last = attempts.at(-1);
    const route = last && deps.routes.find(last.provider, last.model);
    if (isFree && route) await refundBudget(deps, route, last);
    return null;
  };
  if (result.kind === 'failed') return fail(result.code, result.note);
  if (result.kind === 'completed') {
    return fetchOutputs(deps, generation, result, keptResponse, signal);
  }
  if (result.kind === 'fault') {
    deps.log.warn({ generationId: generation.id, note: result.note }, 'poll gave no result');
    const doubt = doubtAfter(generation.attempts.at(-1)?.doubt, result, nowMs);
    if (result.isFinished && doubt && isProven(doubt, nowMs, deps.timings.provenAfterMs)) {
      const note = `finished, but without a result that can be read: ${result.note}`;
      const { code = 'generation_failed' } = result;
      // A known reason is the provider's refusal, not a loss.
      const isLost = result.isFree !== true && result.code === undefined;
      return fail(code, note, isLost ? 'no_result' : undefined);
    }
    await recordFault(deps, generation, { fault: faultOf(response), doubt, ...keptResponse });
  }
  if (nowMs < generation.deadlineAt) {
    return Math.min(nowMs + retryDelayMs(deps, runningMs), generation.deadlineAt);
  }
  await endGeneration(deps, generation, {
    status: 'failed',
    failure: { code: 'generation_timeout' },
    note: 'not finished at its deadline',
    mustBePastDeadline: true,
  });
  await cancelAtProvider(deps, generation);
  return null;
}

/**
 * The doubt about a job after a fault: one more if the provider says that it is finished, none if it says that it still
 * works. A fault that says neither changes nothing.
 */
function doubtAfter(
  before: Doubt | undefined,
  { isFinished, note: reason }: Extract<PollResult, { kind: 'fault' }>,
  nowMs: number,
): Doubt | undefined {
  if (isFinished === undefined) return before;
  return isFinished ? addObservation(before, { sign: 'no result', reason }, nowMs) : undefined;
}

/** Stores a fault only if it differs from the last one: polls are frequent and tend to fail alike. */
async function recordFault(
  { database }: AppCore,
  generation: Generation,
  { doubt, ...change }: Pick<Attempt, 'responses' | 'fault'> & { doubt: Doubt | undefined },
): Promise<void> {
  const { fault, doubt: before } = generation.attempts.at(-1) ?? {};
  if (fault === change.fault && doubt?.times === before?.times) return;
  const attempts = withDoubt(withLastAttempt(generation.attempts, change), doubt);
  await database.generations.update(generation, { attempts });
}

/** A short name of a fault, constant while the trouble lasts. */
function faultOf(response: ProviderResponse | undefined): string {
  const { status = null, failure = null } = response ?? {};
  return failure ?? (status === null ? 'no response' : `status ${status}`);
}
