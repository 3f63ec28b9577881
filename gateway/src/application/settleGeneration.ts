import type { Account } from '../domain/account.ts';
import { pruneSpentLots, refundCredits } from '../domain/credits.ts';
import { uncountSpending } from '../domain/dailyLimit.ts';
import type {
  Attempt,
  Generation,
  GenerationFailure,
  GenerationOutput,
} from '../domain/generation.ts';
import { dueRemovals, type KeptTimes } from '../domain/retention.ts';
import { ledgerEntry, type LedgerEntry } from '../domain/ledger.ts';
import { admitWaiting } from './admitWaiting.ts';
import type { GenerationChange } from './ports/generationStore.ts';
import { StaleWrite } from './ports/storeErrors.ts';
import { inputsKeptMs } from './tidyGenerations.ts';
import { wakeAfterEnd } from './wakeParked.ts';
import type { WorkDeps } from './workDeps.ts';

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

const triesAtMost = 20;

/**
 * Ends a generation for good: its final state, the account's counts and, when it failed, the refund
 * and its ledger entry are one transaction (I1, I2, I5). Then the next waiting one gets the place.
 * @throws StaleWrite when the lease was lost: somebody else ends it.
 */
export async function settleGeneration(
  deps: WorkDeps,
  generation: Generation,
  ending: Ending,
): Promise<void> {
  const { database, reach, log } = deps;
  await reach('settle.beforeTransaction');
  const account = await deps.accountQueue(generation.accountId, async () => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await settleOnce(deps, generation, ending);
      } catch (error) {
        const retry = error instanceof StaleWrite && error.of === 'account';
        if (!retry || attempt === triesAtMost) throw error;
      }
    }
  });
  await reach('settle.beforeJobRemoval');
  await database.jobs.remove(generation.id);
  const code = ending.status === 'failed' ? { code: ending.failure.code, note: ending.note } : {};
  log.info({ generationId: generation.id, status: ending.status, ...code }, 'generation ended');
  // Those parked are older than any that waits: they are called first.
  await wakeAfterEnd(deps, generation, ending.attempts);
  if (account.waiting > 0) await admitWaiting(deps, generation.accountId);
}

async function settleOnce(
  { database, clock, random, outputsKeptMs, promptsKeptMs }: WorkDeps,
  generation: Generation,
  ending: Ending,
): Promise<Account> {
  const before = await database.accounts.find(generation.accountId);
  if (!before) throw new Error(`generation ${generation.id} has no account`);
  const now = clock.now();
  const waited = generation.step === 'waiting';
  const counts = {
    inFlightCredits: before.inFlightCredits - generation.costCredits,
    running: before.running - (waited ? 0 : 1),
    waiting: before.waiting - (waited ? 1 : 0),
  };
  let after: Account = { ...before, ...counts };
  let refund: LedgerEntry | null = null;
  if (ending.status === 'failed') {
    const change = refundCredits(before.lots, generation.charge, now, () => random.newId('lot'));
    const number = before.ledgerEntries + 1;
    after = { ...after, lots: pruneSpentLots(change.lots), ledgerEntries: number };
    const { keyId, costCredits, createdAt } = generation;
    after = uncountSpending(after, keyId, costCredits, createdAt, now);
    refund = ledgerEntry({
      accountId: before.id,
      number,
      kind: 'refund',
      movements: change.movements,
      generationId: generation.id,
      requestId: generation.requestId,
      at: now,
    });
  }
  const change = endOf(ending, now, { inputsKeptMs, outputsKeptMs, promptsKeptMs });
  const onlyPastDeadline = ending.status === 'failed' && ending.onlyPastDeadline === true;
  await database.commit({
    end: { generation, change, onlyPastDeadline },
    account: { before, after },
    ...(refund && { entry: refund }),
  });
  return after;
}

function endOf(ending: Ending, now: number, kept: KeptTimes): GenerationChange {
  const outputsDeleteAt = ending.status === 'completed' ? now + kept.outputsKeptMs : null;
  const what = ending.status === 'failed' ? `failed: ${ending.failure.code}` : 'completed';
  return {
    status: ending.status,
    step: 'ended',
    endedAt: now,
    leaseUntil: 0,
    tidyAt: dueRemovals({ endedAt: now, outputsDeleteAt }, kept, now).tidyAt,
    timeline: [{ at: now, what }],
    ...(ending.attempts && { attempts: ending.attempts }),
    ...(ending.status === 'completed'
      ? { outputs: ending.outputs, outputsDeleteAt }
      : { failure: ending.failure }),
  };
}
