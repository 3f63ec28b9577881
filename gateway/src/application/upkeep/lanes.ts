import pLimit from 'p-limit';
import { expireLots, ledgerEntry, pruneSpentLots } from '../../domain/credits.ts';
import { admitWaiting } from '../generations/admitWaiting.ts';
import { eraseGenerations } from '../generations/eraseGenerations.ts';
import { createItemBackoff, type ItemBackoff } from '../itemBackoff.ts';
import type { Log } from '../ports/system.ts';
import type { Shard } from '../ports/upkeep.ts';
import { removeUpload } from '../site/uploads.ts';
import { giveUpAfter } from '../ports/timing.ts';
import { tidyGenerations } from '../generations/tidyGenerations.ts';
import { wakeParked } from '../generations/wakeParked.ts';
import type { WorkDeps } from '../generations/workDeps.ts';
import { createHealer } from './heal.ts';

/**
 * The lanes of upkeep, and into how many shards each is divided; processes take shards, so that more
 * of them do more at once. `heal` wakes what stands still and makes lost jobs again. `places` gives
 * free places away and takes expired credits out. `tidy` removes what is kept no longer,
 * `erase` what generations of erased accounts hold of a person.
 */
export const lanes = { heal: 2, places: 8, tidy: 8, erase: 2 } as const;

/** The name of a lane. */
export type Lane = keyof typeof lanes;

/** Timeout for one item, such as an account, in ms. */
const itemMs = 15_000;
/** How long a round may go on after its signal, in ms; then its shard is free again. */
const overtimeMs = itemMs + 5_000;
const itemsAtOnce = 10;

/** The upkeep of one process. */
export interface Upkeep {
  /**
   * One round of a lane in one of its shards; everything it does is safe to do twice, and nothing that
   * it waits for keeps it for longer than `overtimeMs` after the signal.
   * @throws when a part of it failed as a whole; the other parts are still done.
   */
  round(lane: Lane, shard: Shard, signal: AbortSignal): Promise<void>;
}

/** Makes the upkeep of one process, which remembers what failed and where each round stopped. */
export function createUpkeep(deps: WorkDeps): Upkeep {
  const { upkeep, clock, log, reach } = deps;
  const healer = createHealer(deps);
  const starvedBackoff = createItemBackoff(clock);
  const expiredBackoff = createItemBackoff(clock);
  const uploadBackoff = createItemBackoff(clock);

  const tidyUploads = (signal: AbortSignal) =>
    eachItem(deps.database.uploads.expired(clock.now()), (id) => removeUpload(deps, id), {
      signal,
      log,
      backoff: uploadBackoff,
    });

  const parts: Record<Lane, (shard: Shard, signal: AbortSignal) => Promise<unknown>[]> = {
    heal: (shard, signal) => [healer.wakeNeglected(shard), healer.makeLostJobs(shard, signal)],
    places(shard, signal) {
      const starved = upkeep.starvedAccounts(shard, deps.defaultLimits.running);
      const expired = upkeep.accountsWithExpiredLots(shard, clock.now());
      return [
        eachItem(starved, (id) => admitWaiting(deps, id), { signal, log, backoff: starvedBackoff }),
        eachItem(expired, (id) => expireCredits(deps, id), {
          signal,
          log,
          backoff: expiredBackoff,
        }),
        // It looks after the parked generations of all accounts.
        ...(shard.index === 0 ? [wakeParked(deps)] : []),
      ];
    },
    tidy: (shard, signal) => [
      tidyGenerations(deps, signal, shard.index),
      // Few, and quickly removed.
      ...(shard.index === 0 ? [tidyUploads(signal)] : []),
    ],
    erase: (_shard, signal) => [eraseGenerations(deps, signal)],
  };

  return {
    async round(lane, shard, signal) {
      await reach('reconcile.beforeHealing');
      const done = Promise.allSettled(parts[lane](shard, signal));
      const results = await withOvertime(done, signal);
      const errors = results.flatMap((each) =>
        each.status === 'rejected' ? [each.reason as unknown] : [],
      );
      if (errors.length > 0) {
        throw new AggregateError(errors, `${lane}: ${errors.map(String).join('; ')}`);
      }
      await upkeep.noteRound(lane, shard.index);
    },
  };
}

/** Waits for work until some time after its signal. */
async function withOvertime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const first = await Promise.race([work.then((result) => ({ result })), over]);
  return first ? first.result : giveUpAfter(overtimeMs, work);
}

/**
 * Works on every item of some pages, several at once. An item that fails or takes too long is logged
 * and left alone for a while; it stops no other. No item is begun after the signal.
 */
async function eachItem(
  pages: AsyncIterable<readonly string[]>,
  work: (id: string) => Promise<unknown>,
  { signal, log, backoff }: { signal: AbortSignal; log: Log; backoff: ItemBackoff },
): Promise<void> {
  const limit = pLimit(itemsAtOnce);
  const attempt = async (id: string): Promise<void> => {
    if (signal.aborted || backoff.rests(id)) return;
    try {
      await giveUpAfter(itemMs, work(id));
      backoff.succeeded(id);
    } catch (error) {
      backoff.failed(id);
      log.warn({ error, id }, 'upkeep of one item failed: it is tried again later');
    }
  };
  for await (const page of pages) {
    await Promise.all(page.map((id) => limit(attempt, id)));
    if (signal.aborted) return;
  }
}

/** Takes expired lots out of an account's balance, with a ledger entry. */
async function expireCredits(
  { database, clock, random }: Pick<WorkDeps, 'database' | 'clock' | 'random'>,
  accountId: string,
): Promise<void> {
  await database.changeAccount(accountId, (account) => {
    const now = clock.now();
    const change = expireLots(account.lots, now);
    if (!change) return { after: account, result: undefined };
    const number = account.ledgerEntries + 1;
    return {
      after: { ...account, lots: pruneSpentLots(change.lots), ledgerEntries: number },
      entry: ledgerEntry({
        accountId,
        number,
        kind: 'expiry',
        movements: change.movements,
        requestId: random.newId('req'),
        at: now,
      }),
      result: undefined,
    };
  });
}
