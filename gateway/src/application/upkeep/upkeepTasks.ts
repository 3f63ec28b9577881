import { giveUpAfter } from '@framegate/limits';
import { expiryNoticeMs } from '../../domain/accounts/accountEvent.ts';
import { book } from '../../domain/credits/book.ts';
import { expireLots } from '../../domain/credits/credits.ts';
import { announceExpiringCredits } from '../accounts/withEvents.ts';
import type { AppCore } from '../app.ts';
import { grantDueMonths } from '../credits/plans.ts';
import { eraseGenerations } from '../generations/end/eraseGenerations.ts';
import { tidyGenerations } from '../generations/end/tidyGenerations.ts';
import { admitWaiting, wakeParked } from '../generations/run/freeSlots.ts';
import { createItemBackoff } from '../itemBackoff.ts';
import type { Shard } from '../ports/upkeep.ts';
import { removeUpload } from '../studio/uploads.ts';
import { visitPages } from '../visitPages.ts';
import { eraseDue } from './dueErasures.ts';
import { createHealer } from './heal.ts';
import { searchErased } from './searchErased.ts';

/**
 * The upkeep tasks and their numbers of shards; processes take shards, so more processes do more in parallel. `heal`
 * wakes neglected generations and restores lost jobs. `slots` assigns free slots, grants the credits of plans and
 * removes expired credits. `tidy` removes data past its retention; `erase` removes the personal data of erased accounts
 * and searches for remaining traces. `notices` emails owners about ends and credits.
 */
export const upkeepTasks = { heal: 1, slots: 1, tidy: 4, erase: 1, notices: 1 } as const;

/** An upkeep task, by its name. */
export type UpkeepTask = keyof typeof upkeepTasks;

/**
 * How often each task has a round, in multiples of `timings.upkeepEveryMs`. People wait for stalled work, slots and
 * credits, but no one waits for the removal of files kept for days.
 */
const upkeepIntervals: Readonly<Record<UpkeepTask, number>> = {
  heal: 1,
  slots: 1,
  tidy: 6,
  erase: 3,
  notices: 6,
};

/** The tasks as jobs: their shards, and their intervals in ms. */
export const upkeepJobs = (upkeepEveryMs: number) =>
  Object.fromEntries(
    Object.entries(upkeepTasks).map(([task, shards]) => [
      task,
      { shards, everyMs: upkeepIntervals[task as UpkeepTask] * upkeepEveryMs },
    ]),
  );

/** Timeout for one item, such as an account, in ms. */
const itemMs = 15_000;
/** How long a round may continue after its signal, in ms; then its shard is free again. */
const overtimeMs = itemMs + 5_000;
const maxItemsAtOnce = 10;

/** The upkeep of one process. */
export interface Upkeep {
  /**
   * Runs one round of a task in one shard. The work is safe to repeat and ends at most `overtimeMs` after the signal.
   * @throws If one part failed entirely; the other parts are still done.
   */
  runRound(task: UpkeepTask, shard: Shard, signal: AbortSignal): Promise<void>;
}

/**
 * Creates the upkeep of one process, which remembers failed items and where each round stopped.
 * @param sendNotices A round of emails to owners (sendNotices.ts).
 */
export function createUpkeep(
  deps: AppCore,
  sendNotices: (signal: AbortSignal) => Promise<void> = () => Promise.resolve(),
): Upkeep {
  const { upkeep, clock, reachFaultPoint } = deps;
  const healer = createHealer(deps);
  const admitEach = createItemWork(deps, (id) => admitWaiting(deps, id));
  const expireEach = createItemWork(deps, (id) => expireCredits(deps, id));
  const announceEach = createItemWork(deps, (id) => announceExpiringCredits(deps, id));
  const grantEach = createItemWork(deps, (id) => grantDueMonths(deps, id));
  const eraseEach = createItemWork(deps, (id) => eraseDue(deps, id));
  const removeEach = createItemWork(deps, (id) => removeUpload(deps, id));

  const parts: Record<UpkeepTask, (shard: Shard, signal: AbortSignal) => Promise<unknown>[]> = {
    heal: (shard, signal) => [
      healer.wakeNeglected(shard),
      healer.makeLostJobs(shard, signal),
      healer.bringForward(),
    ],
    slots(shard, signal) {
      const nowMs = clock.now();
      return [
        admitEach(upkeep.listStarvedAccounts(shard, deps.defaultLimits.running), signal),
        expireEach(upkeep.listAccountsWithExpiredLots(shard, nowMs), signal),
        announceEach(upkeep.listAccountsWithExpiringLots(shard, nowMs + expiryNoticeMs), signal),
        grantEach(upkeep.listAccountsWithDuePlans(shard, nowMs), signal),
        // Covers the parked generations of all accounts.
        ...(shard.index === 0 ? [wakeParked(deps)] : []),
      ];
    },
    tidy: (shard, signal) => [
      tidyGenerations(deps, signal, shard.index),
      // There are few, and removing them is quick.
      ...(shard.index === 0
        ? [removeEach(deps.database.uploads.listExpired(clock.now()), signal)]
        : []),
    ],
    erase: (_shard, signal) => [
      eraseEach(upkeep.listAccountsToErase(clock.now()), signal),
      eraseGenerations(deps, signal),
      searchErased(deps, signal),
    ],
    notices: (_shard, signal) => [sendNotices(signal)],
  };

  return {
    async runRound(task, shard, signal) {
      await reachFaultPoint('upkeep.beforeHealing');
      const work = Promise.allSettled(parts[task](shard, signal));
      const results = await withOvertime(work, signal);
      const errors = results.flatMap((each) =>
        each.status === 'rejected' ? [each.reason as unknown] : [],
      );
      if (errors.length > 0) {
        throw new AggregateError(errors, `${task}: ${errors.map(String).join('; ')}`);
      }
      await upkeep.recordRound(task, shard.index);
    },
  };
}

/** Waits for work until `overtimeMs` after its signal. */
async function withOvertime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const first = await Promise.race([work.then((result) => ({ result })), over]);
  return first ? first.result : giveUpAfter(overtimeMs, work);
}

/**
 * Creates the work on items such as accounts. An item that fails or takes too long is logged and rests for a while
 * without delaying others.
 */
function createItemWork(
  { clock, log }: Pick<AppCore, 'clock' | 'log'>,
  work: (id: string) => Promise<unknown>,
): (pages: AsyncIterable<readonly string[]>, signal: AbortSignal) => Promise<unknown> {
  const backoff = createItemBackoff(clock);
  const tryRound = async (id: string): Promise<void> => {
    if (backoff.isPaused(id)) return;
    try {
      await giveUpAfter(itemMs, work(id));
      backoff.recordSuccess(id);
    } catch (error) {
      backoff.recordFailure(id);
      log.warn({ error, id }, 'upkeep of an item failed; retrying later');
    }
  };
  return (pages, signal) => visitPages(pages, { atOnce: maxItemsAtOnce, signal }, tryRound);
}

/** Removes expired lots from an account's balance, with a ledger entry. */
async function expireCredits(
  { database, clock, random }: Pick<AppCore, 'database' | 'clock' | 'random'>,
  accountId: string,
): Promise<void> {
  await database.changeAccount(accountId, (account) => {
    const nowMs = clock.now();
    const change = expireLots(account.lots, nowMs);
    if (!change) return { after: account, result: undefined };
    const requestId = random.newId('req');
    return {
      ...book(account, change, { kind: 'expiry', requestId, at: nowMs }),
      result: undefined,
    };
  });
}
