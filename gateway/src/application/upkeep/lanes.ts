import pLimit from 'p-limit';
import { expiringMs } from '../../domain/accountEvent.ts';
import { expireLots, ledgerEntry, pruneSpentLots } from '../../domain/credits.ts';
import { grantDueMonths } from '../accounts/plans.ts';
import { tellExpiringCredits } from '../accounts/withEvents.ts';
import type { WorkDeps } from '../generations/deps.ts';
import { eraseGenerations } from '../generations/eraseGenerations.ts';
import { admitWaiting, wakeParked } from '../generations/freePlaces.ts';
import { tidyGenerations } from '../generations/tidyGenerations.ts';
import { createItemBackoff, type ItemBackoff } from '../itemBackoff.ts';
import type { Log, Clock } from '../ports/system.ts';
import { giveUpAfter, repeatEvery } from '@framegate/limits';
import type { Shard, LaneRound, UpkeepStore } from '../ports/upkeep.ts';
import { removeUpload } from '../site/uploads.ts';
import { createHealer } from './heal.ts';

/**
 * The lanes of upkeep and their number of shards; processes take shards, so more processes do more in parallel.
 * `heal` wakes neglected generations and restores lost jobs. `places` gives away free places, grants the credits of
 * plans and removes expired ones. `tidy` removes data past its retention, `erase` the personal data in generations of
 * erased accounts.
 */
export const lanes = { heal: 1, places: 1, tidy: 4, erase: 1 } as const;

export type Lane = keyof typeof lanes;

/**
 * How often each lane has a round, in multiples of `timings.reconcileEveryMs`: somebody waits for work that stands still,
 * for places and for credits that go; nobody for the removal of files kept for days.
 */
const laneIntervals: Readonly<Record<Lane, number>> = { heal: 1, places: 1, tidy: 6, erase: 3 };

/** The lanes as jobs: their shards, and how often each has a round, in ms. */
export const laneJobs = (reconcileEveryMs: number) =>
  Object.fromEntries(
    Object.entries(lanes).map(([lane, shards]) => [
      lane,
      { shards, everyMs: laneIntervals[lane as Lane] * reconcileEveryMs },
    ]),
  );

/** Timeout for one item, such as an account, in ms. */
const itemMs = 15_000;
/** How long a round may continue after its signal, in ms; then its shard is free again. */
const overtimeMs = itemMs + 5_000;
const itemsAtOnce = 10;

/** The upkeep of one process. */
export interface Upkeep {
  /**
   * Runs one round of a lane in one shard. Everything it does is safe to repeat, and it ends at most
   * `overtimeMs` after the signal.
   * @throws If one part failed entirely; the other parts are still done.
   */
  round(lane: Lane, shard: Shard, signal: AbortSignal): Promise<void>;
}

/** Creates the upkeep of one process, which remembers failed items and where each round stopped. */
export function createUpkeep(deps: WorkDeps): Upkeep {
  const { upkeep, clock, log, reachFaultPoint } = deps;
  const healer = createHealer(deps);
  const starvedBackoff = createItemBackoff(clock);
  const expiredBackoff = createItemBackoff(clock);
  const planBackoff = createItemBackoff(clock);
  const expiringBackoff = createItemBackoff(clock);
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
      const planned = upkeep.accountsWithDuePlans(shard, clock.now());
      const expiring = upkeep.accountsWithExpiringLots(shard, clock.now() + expiringMs);
      return [
        eachItem(starved, (id) => admitWaiting(deps, id), { signal, log, backoff: starvedBackoff }),
        eachItem(expired, (id) => expireCredits(deps, id), {
          signal,
          log,
          backoff: expiredBackoff,
        }),
        eachItem(expiring, (id) => tellExpiringCredits(deps, id), {
          signal,
          log,
          backoff: expiringBackoff,
        }),
        eachItem(planned, (id) => grantDueMonths(deps, id), {
          signal,
          log,
          backoff: planBackoff,
        }),
        // This serves the parked generations of all accounts.
        ...(shard.index === 0 ? [wakeParked(deps)] : []),
      ];
    },
    tidy: (shard, signal) => [
      tidyGenerations(deps, signal, shard.index),
      // There are few, and removing them is quick.
      ...(shard.index === 0 ? [tidyUploads(signal)] : []),
    ],
    erase: (_shard, signal) => [eraseGenerations(deps, signal)],
  };

  return {
    async round(lane, shard, signal) {
      await reachFaultPoint('reconcile.beforeHealing');
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
 * Processes the items of all pages, several in parallel. An item that fails or takes too long is logged and
 * rests for a while without delaying others. No item is begun after the signal.
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
      log.warn({ error, id }, 'upkeep of one item failed and will be retried');
    }
  };
  for await (const page of pages) {
    await Promise.all(page.map((id) => limit(attempt, id)));
    if (signal.aborted) return;
  }
}

/** Removes expired lots from an account's balance, with a ledger entry. */
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

/** A lane without a finished round for this time, in ms, counts as stalled. */
const lateMs = 180_000;
/** Intervals of the check, and of the repeated alert, in ms. */
const checkEveryMs = 30_000;
const alertEveryMs = 600_000;

/** The state of a lane. */
export interface LaneState {
  lane: Lane;
  /** Time since the oldest last round among its shards, in ms. */
  idleMs: number;
  /** Stalled: staff and the operator are alerted. */
  isLate: boolean;
}

/** The states of the lanes, by their rounds; a shard without a round counts from `sinceMs`. */
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

/** Watches the lanes and logs an alert while one is stalled. */
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
    log.warn({ error }, 'the upkeep lanes could not be checked');
  });
  return { states, stop };
}
