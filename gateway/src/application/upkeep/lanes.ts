import pLimit from 'p-limit';
import { expireLots, ledgerEntry, pruneSpentLots } from '../../domain/credits.ts';
import type { WorkDeps } from '../generations/deps.ts';
import { eraseGenerations } from '../generations/eraseGenerations.ts';
import { admitWaiting, wakeParked } from '../generations/freePlaces.ts';
import { tidyGenerations } from '../generations/tidyGenerations.ts';
import { createItemBackoff, type ItemBackoff } from '../itemBackoff.ts';
import type { Log, Clock } from '../ports/system.ts';
import { giveUpAfter, repeatEvery } from '../ports/concurrency.ts';
import type { Shard, LaneRound, UpkeepStore } from '../ports/upkeep.ts';
import { removeUpload } from '../site/uploads.ts';
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

/** A lane that has finished no round for this time, in ms, counts as standing still. */
const lateMs = 180_000;
/** How often that is checked, and how often the alert is repeated while it lasts, in ms. */
const checkEveryMs = 30_000;
const alertEveryMs = 600_000;

/** How a lane of upkeep is doing. */
export interface LaneState {
  lane: Lane;
  /** How long ago it last finished a round in each of its shards, in ms. */
  idleMs: number;
  /** It stands still: staff and the operator have to know. */
  isLate: boolean;
}

/** How the lanes are doing, by their rounds; a shard without a round counts from `sinceMs` on. */
export function laneStatesOf(
  rounds: readonly LaneRound[],
  sinceMs: number,
  nowMs: number,
): LaneState[] {
  return (Object.keys(lanes) as Lane[]).map((lane) => {
    const finished = Array.from({ length: lanes[lane] }, (_, shard) => {
      const round = rounds.find((each) => each.lane === lane && each.shard === shard);
      return round?.finishedAt ?? sinceMs;
    });
    const idleMs = Math.max(0, nowMs - Math.min(...finished));
    return { lane, idleMs, isLate: idleMs > lateMs };
  });
}

/** The state of the lanes over all processes. */
export interface LaneWatch {
  states: () => Promise<LaneState[]>;
  stop(): void;
}

/** Watches the lanes from this process, and logs an alert while one stands still. */
export function watchLanes(
  deps: { upkeep: Pick<UpkeepStore, 'rounds'>; clock: Pick<Clock, 'now'>; log: Log },
  everyMs = checkEveryMs,
): LaneWatch {
  const { upkeep, clock, log } = deps;
  const sinceMs = clock.now();
  const alertedAt = new Map<Lane, number>();
  const states = async () => laneStatesOf(await upkeep.rounds(), sinceMs, clock.now());

  async function check(): Promise<void> {
    for (const { lane, idleMs, isLate } of await states()) {
      if (!isLate) alertedAt.delete(lane);
      if (!isLate || clock.now() - (alertedAt.get(lane) ?? -Infinity) < alertEveryMs) continue;
      alertedAt.set(lane, clock.now());
      const alert = { alert: 'upkeep_stands_still', lane, idle_seconds: Math.round(idleMs / 1000) };
      log.error(alert, 'a lane of upkeep has not finished a round for minutes');
    }
  }

  const stop = repeatEvery(everyMs, check, (error) => {
    log.warn({ error }, 'the lanes of upkeep could not be checked');
  });
  return { states, stop };
}
