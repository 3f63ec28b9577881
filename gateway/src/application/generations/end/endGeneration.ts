import { minuteMs } from '@framegate/contract';
import type { Account } from '../../../domain/accounts/account.ts';
import { uncountDailySpending } from '../../../domain/accounts/keyLimits.ts';
import { book } from '../../../domain/credits/book.ts';
import { refundCredits } from '../../../domain/credits/credits.ts';
import { uncountMonthlySpending } from '../../../domain/credits/monthlyLimits.ts';
import { refundedPart, refundRule } from '../../../domain/credits/refund.ts';
import { type Attempt, withLastAttempt } from '../../../domain/generations/attempt.ts';
import type { GenerationOutput } from '../../../domain/generations/files.ts';
import type { Generation } from '../../../domain/generations/generation.ts';
import { firstPosterTry, lackPosters } from '../../../domain/generations/missingPosters.ts';
import type { GenerationRemovalTimes } from '../../../domain/generations/removalTimes.ts';
import {
  dueRemovals,
  earliest,
  type RetentionPeriods,
} from '../../../domain/generations/retention.ts';
import {
  clampToHistory,
  type GenerationFailure,
  type Schedule,
} from '../../../domain/generations/work.ts';
import type { AppCore } from '../../app.ts';
import { type AccountDecision, StaleWriteError } from '../../ports/database.ts';
import type { GenerationChange } from '../../ports/generations.ts';
import { removeArrived } from '../deliver/arrivedFiles.ts';
import { admitWaiting, wakeAfterEnd } from '../run/freeSlots.ts';
import { settleBudget } from '../run/providerLimits.ts';
import { inputsKeptMs } from './tidyGenerations.ts';

/** The end of a generation. `note` is for staff. */
export type FinalState =
  | { status: 'completed'; outputs: GenerationOutput[]; attempts?: Attempt[] }
  | {
      status: 'failed';
      failure: GenerationFailure;
      note: string;
      attempts?: Attempt[];
      /** For an end by the deadline: the database's clock must agree that it has passed. */
      mustBePastDeadline?: boolean;
      /** For an end without a lease: no process may hold the generation or have changed it. */
      mustBeUnheld?: boolean;
    };

/** The generation after a run, as this run itself last wrote it; null if it has to be read. */
export type AfterRun = Schedule | 'ended' | null;

/** How long writing an end is retried, in ms: the result exists and is paid for. */
const endWithinMs = 5 * minuteMs;

/** Maximum repeats after an unknown outcome at a route that declares repeats safe. */
const maxRepeats = 3;
/** Pause before a repeat, in ms, multiplied by the number of unknown outcomes. */
const repeatAfterMs = 500;

/**
 * Ends a generation. Its final state, the account's counts and, after a failure, the refund with its ledger entry are
 * one transaction (I1, I2, I5). The next waiting generation then gets the slot.
 * @throws StaleWriteError if the lease was lost: another process ends it.
 */
export async function endGeneration(
  deps: AppCore,
  generation: Generation,
  finalState: FinalState,
): Promise<void> {
  const { database, reachFaultPoint, log } = deps;
  await reachFaultPoint('end.beforeTransaction');
  const account = await writeEnd(deps, generation, finalState);
  await reachFaultPoint('end.beforeJobRemoval');
  await database.jobs.remove(generation.id);
  for (const attempt of finalState.attempts ?? generation.attempts) {
    deps.recordCost(attempt);
    deps.recordDifferences(attempt);
    await settleBudget(deps, attempt);
  }
  const code =
    finalState.status === 'failed' ? { code: finalState.failure.code, note: finalState.note } : {};
  log.info({ generationId: generation.id, status: finalState.status, ...code }, 'generation ended');
  // Parked generations come first because they are older than waiting ones.
  await wakeAfterEnd(deps, generation, finalState.attempts);
  if (account.waiting > 0) await admitWaiting(deps, generation.accountId);
  await removeArrived(deps, {
    ...generation,
    ...(finalState.attempts && { attempts: finalState.attempts }),
  });
}

/** Writes the end. @returns The account after it. */
async function writeEnd(
  deps: AppCore,
  generation: Generation,
  finalState: FinalState,
): Promise<Account> {
  const { database } = deps;
  const { id, accountId, epoch } = generation;
  const decide = (account: Account) => decideEnd(deps, generation, finalState, account);
  try {
    return await database.changeAccount(accountId, decide, endWithinMs);
  } catch (error) {
    if (!(error instanceof StaleWriteError)) throw error;
    // An earlier attempt of ours succeeded although its response was lost.
    const current = await database.generations.find(id, accountId);
    const account = await database.accounts.find(accountId);
    if (current?.step === 'ended' && current.epoch === epoch && account) return account;
    throw error;
  }
}

function decideEnd(
  { clock, random, promptsKeptMs, posters, ...deps }: AppCore,
  generation: Generation,
  finalState: FinalState,
  before: Account,
): AccountDecision<Account> {
  const nowMs = clock.now();
  const wasWaiting = generation.step === 'waiting';
  const account: Account = {
    ...before,
    inFlightCredits: before.inFlightCredits - generation.costCredits,
    running: before.running - (wasWaiting ? 0 : 1),
    waiting: before.waiting - (wasWaiting ? 1 : 0),
  };
  const outputsKeptMs = generation.isFavourite ? deps.favouritesKeptMs : deps.outputsKeptMs;
  const periods = { inputsKeptMs, outputsKeptMs, promptsKeptMs };
  const lacksPosters =
    finalState.status === 'completed' &&
    posters.types.includes(generation.type) &&
    lackPosters(finalState.outputs);
  const ended = buildEndChange(generation, finalState, nowMs, periods);
  const tidyAt = earliest(ended.tidyAt, lacksPosters ? firstPosterTry(nowMs) : null);
  const change = { ...ended, tidyAt };
  // A free delivery has nothing to refund.
  if (finalState.status !== 'failed' || generation.charge.length === 0) {
    const end = { generation, change: { ...change, endNumber: account.ledgerEntries } };
    return { after: account, end, result: account };
  }
  const { keyId, costCredits, charge, createdAt } = generation;
  const refundedCredits = refundRule.creditsFor(costCredits);
  const returned = refundedPart(charge, refundedCredits);
  const refund = refundCredits(before.lots, returned, nowMs, () => random.newId('lot'));
  const uncounted = uncountMonthlySpending(
    uncountDailySpending(account, keyId, refundedCredits, createdAt, nowMs),
    generation.monthCounted,
    refundedCredits,
  );
  const { id: generationId, requestId } = generation;
  const { after, entry } = book(uncounted, refund, {
    kind: 'refund',
    generationId,
    requestId,
    at: nowMs,
  });
  const end = {
    generation,
    change: { ...change, refundedCredits, endNumber: entry.number },
    mustBePastDeadline: finalState.mustBePastDeadline === true,
    mustBeUnheld: finalState.mustBeUnheld === true,
  };
  return { after, end, entry, result: after };
}

function buildEndChange(
  generation: Generation,
  finalState: FinalState,
  nowMs: number,
  periods: RetentionPeriods,
): GenerationChange & Pick<GenerationRemovalTimes, 'tidyAt'> {
  const { attempts: earlier } = generation;
  const endedAt = clampToHistory(generation, nowMs);
  const hasArrived = earlier.some(({ arrived }) => arrived);
  const attempts = finalState.attempts ?? (hasArrived ? earlier : undefined);
  const outputsRemoveAt = finalState.status === 'completed' ? nowMs + periods.outputsKeptMs : null;
  return {
    status: finalState.status,
    step: 'ended',
    endedAt,
    leaseUntil: 0,
    tidyAt: dueRemovals(
      { endedAt, outputsRemoveAt, attempts: finalState.attempts ?? earlier },
      periods,
      nowMs,
    ).tidyAt,
    timeline: [{ at: nowMs, what: describeFinalState(finalState) }],
    ...(attempts && { attempts: attempts.map(withoutArrived) }),
    ...(finalState.status === 'completed' && { outputs: finalState.outputs, outputsRemoveAt }),
    ...(finalState.status === 'failed' && { failure: finalState.failure }),
  };
}

function describeFinalState(finalState: FinalState): string {
  if (finalState.status === 'completed') return 'completed';
  const { code, wasCancelled } = finalState.failure;
  return wasCancelled ? 'cancelled by its owner' : `failed: ${code}`;
}

/** The attempt without its raw files, which are removed at the end. */
function withoutArrived(attempt: Attempt): Attempt {
  const { arrived, ...others } = attempt;
  return arrived ? others : attempt;
}

/**
 * Handles a submission with an unknown outcome. It is repeated only if the operator's route declares that safe;
 * otherwise the generation fails, is refunded immediately, and is shown to staff (I6).
 */
export async function handleUnknownOutcome(
  deps: AppCore,
  generation: Generation,
): Promise<AfterRun> {
  const last = generation.attempts.at(-1);
  const route = last && deps.routes.find(last.provider, last.model);
  const attempts = withLastAttempt(generation.attempts, { outcome: 'unknown' });
  const unknowns = attempts.filter(({ outcome }) => outcome === 'unknown').length;
  if (route?.safeToRepeat && unknowns < maxRepeats) {
    const dueAt = deps.clock.now() + unknowns * repeatAfterMs;
    const change = { step: 'ready' as const, attempts, dueAt, leaseUntil: 0 };
    return deps.database.generations.update(generation, change);
  }
  deps.log.error({ generationId: generation.id }, 'submission has an unknown outcome');
  await endGeneration(deps, generation, {
    status: 'failed',
    failure: { code: 'generation_failed' },
    note: 'the outcome of the submission is unknown',
    attempts,
  });
  return 'ended';
}
