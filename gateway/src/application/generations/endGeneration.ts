import type { Account } from '../../domain/account.ts';
import { ledgerEntry, pruneSpentLots, refundCredits } from '../../domain/credits.ts';
import { uncountSpending } from '../../domain/keyLimits.ts';
import {
  type Attempt,
  type Generation,
  type GenerationFailure,
  type GenerationOutput,
  withLastAttempt,
} from '../../domain/generation.ts';
import { dueRemovals, type KeptTimes } from '../../domain/retention.ts';
import { admitWaiting, wakeAfterEnd } from './freePlaces.ts';
import { StaleWrite, type AccountDecision } from '../ports/database.ts';
import type { GenerationChange } from '../ports/generations.ts';
import { removeArrived } from './arrivedFiles.ts';
import { inputsKeptMs } from './tidyGenerations.ts';
import type { WorkDeps } from './deps.ts';

/** How a generation ends. `note` is for staff. */
export type Ending =
  | { status: 'completed'; outputs: GenerationOutput[]; attempts?: Attempt[] }
  | {
      status: 'failed';
      failure: GenerationFailure;
      note: string;
      attempts?: Attempt[];
      /** The end is the deadline's: the database's clock must agree that it is past. */
      onlyPastDeadline?: boolean;
    };

/** How long an end is retried, in ms: the result has been made and paid for. */
const endWithinMs = 5 * 60_000;

/** How often a provider that declares it safe is given the same generation after an unknown outcome. */
const maxRepeats = 3;
/** The pause before that, times the number of unknown outcomes, in ms. */
const repeatAfterMs = 500;

/**
 * Ends a generation for good: its final state, the account's counts and, when it failed, the refund
 * and its ledger entry are one transaction (I1, I2, I5). Then the next waiting one gets the place.
 * @throws StaleWrite when the lease was lost: another process ends it.
 */
export async function endGeneration(
  deps: WorkDeps,
  generation: Generation,
  ending: Ending,
): Promise<void> {
  const { database, reach, log } = deps;
  await reach('end.beforeTransaction');
  const account = await writeEnd(deps, generation, ending);
  await reach('end.beforeJobRemoval');
  await database.jobs.remove(generation.id);
  for (const attempt of ending.attempts ?? generation.attempts) deps.countCost(attempt);
  const code = ending.status === 'failed' ? { code: ending.failure.code, note: ending.note } : {};
  log.info({ generationId: generation.id, status: ending.status, ...code }, 'generation ended');
  // Parked generations are older than waiting ones: they are called first.
  await wakeAfterEnd(deps, generation, ending.attempts);
  if (account.waiting > 0) await admitWaiting(deps, generation.accountId);
  await removeArrived(deps, {
    ...generation,
    ...(ending.attempts && { attempts: ending.attempts }),
  });
}

/** Writes the end. @returns the account after it. */
async function writeEnd(deps: WorkDeps, generation: Generation, ending: Ending): Promise<Account> {
  const { database } = deps;
  const { id, accountId, epoch } = generation;
  const decide = (account: Account) => decideEnd(deps, generation, ending, account);
  try {
    return await database.changeAccount(accountId, decide, endWithinMs);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    // An earlier try of ours was written although its result never arrived.
    const found = await database.generations.find(id);
    const account = await database.accounts.find(accountId);
    if (found?.step === 'ended' && found.epoch === epoch && account) return account;
    throw error;
  }
}

function decideEnd(
  { clock, random, outputsKeptMs, promptsKeptMs }: WorkDeps,
  generation: Generation,
  ending: Ending,
  before: Account,
): AccountDecision<Account> {
  const now = clock.now();
  const waited = generation.step === 'waiting';
  const account: Account = {
    ...before,
    inFlightCredits: before.inFlightCredits - generation.costCredits,
    running: before.running - (waited ? 0 : 1),
    waiting: before.waiting - (waited ? 1 : 0),
  };
  const change = endOf(generation, ending, now, { inputsKeptMs, outputsKeptMs, promptsKeptMs });
  const onlyPastDeadline = ending.status === 'failed' && ending.onlyPastDeadline === true;
  const end = { generation, change, onlyPastDeadline };
  if (ending.status !== 'failed') return { after: account, end, result: account };
  const { keyId, costCredits, createdAt } = generation;
  const refund = refundCredits(before.lots, generation.charge, now, () => random.newId('lot'));
  const number = before.ledgerEntries + 1;
  const after = uncountSpending(
    { ...account, lots: pruneSpentLots(refund.lots), ledgerEntries: number },
    keyId,
    costCredits,
    createdAt,
    now,
  );
  const entry = ledgerEntry({
    accountId: before.id,
    number,
    kind: 'refund',
    movements: refund.movements,
    generationId: generation.id,
    requestId: generation.requestId,
    at: now,
  });
  return { after, end, entry, result: after };
}

function endOf(
  { attempts: earlier }: Generation,
  ending: Ending,
  now: number,
  kept: KeptTimes,
): GenerationChange {
  const hasArrived = earlier.some(({ arrived }) => arrived);
  const attempts = ending.attempts ?? (hasArrived ? earlier : undefined);
  const outputsDeleteAt = ending.status === 'completed' ? now + kept.outputsKeptMs : null;
  const what = ending.status === 'failed' ? `failed: ${ending.failure.code}` : 'completed';
  return {
    status: ending.status,
    step: 'ended',
    endedAt: now,
    leaseUntil: 0,
    tidyAt: dueRemovals({ endedAt: now, outputsDeleteAt }, kept, now).tidyAt,
    timeline: [{ at: now, what }],
    ...(attempts && { attempts: attempts.map(withoutArrived) }),
    ...(ending.status === 'completed' && { outputs: ending.outputs, outputsDeleteAt }),
    ...(ending.status === 'failed' && { failure: ending.failure }),
  };
}

/** The attempt without its raw files, which are removed at the end. */
function withoutArrived(attempt: Attempt): Attempt {
  const { arrived, ...kept } = attempt;
  return arrived ? kept : attempt;
}

/**
 * Repeats or ends a submission whose outcome is unknown: repeated only where the operator's route
 * says that this is safe, otherwise failed and refunded at once, and shown to staff (I6).
 */
export async function handleUnknownOutcome(deps: WorkDeps, generation: Generation): Promise<void> {
  const last = generation.attempts.at(-1);
  const route = last && deps.routes.find(last.provider, last.model);
  const attempts = withLastAttempt(generation.attempts, { outcome: 'unknown' });
  const unknowns = attempts.filter(({ outcome }) => outcome === 'unknown').length;
  if (route?.safeToRepeat && unknowns < maxRepeats) {
    const dueAt = deps.clock.now() + unknowns * repeatAfterMs;
    const change = { step: 'ready' as const, attempts, dueAt, leaseUntil: 0 };
    return deps.database.generations.update(generation, change);
  }
  deps.log.error({ generationId: generation.id }, 'a submission has an unknown outcome');
  await endGeneration(deps, generation, {
    status: 'failed',
    failure: { code: 'generation_failed' },
    note: 'the outcome of the submission is unknown',
    attempts,
  });
}
