import type { Schedule } from '../../domain/generations/work.ts';
import { maxAheadMs } from '../../domain/time/furthestTimes.ts';
import type { AppCore } from '../app.ts';
import type { Shard } from '../ports/upkeep.ts';

/** Generations inspected per round of a shard: neglected ones, and open ones. */
const maxNeglected = 2_000;
const maxOpen = 20_000;

/** How far the clocks of the processes may be apart, in ms. */
const clockSlackMs = 5_000;

/** Position at which a shard's last round stopped and the next one continues. */
interface ShardProgress {
  neglectedFrom: number;
  openSeen: number;
}

/** Wakes neglected generations, restores lost jobs and mends times of a wrong clock. */
export interface Healer {
  wakeNeglected(shard: Shard): Promise<void>;
  makeLostJobs(shard: Shard, signal: AbortSignal): Promise<void>;
  /**
   * Makes generations due whose times are further ahead than a rule sets them. Each is seen twice, so that a living
   * holder has renewed its lease in between.
   */
  bringForward(): Promise<void>;
}

/**
 * Creates the healer of one process. It only wakes jobs, which run the generations with the process's signal and the
 * usual limits. A round inspects a bounded number and the next one continues: 20,000 unfinished generations every
 * ten seconds.
 */
export function createHealer(deps: AppCore): Healer {
  const { database, upkeep, clock, log } = deps;
  const shards = new Map<number, ShardProgress>();
  /** Generations that were too far ahead, and since when, by the monotonic clock. */
  let ahead = new Map<string, { dueAt: number; since: number }>();
  const progressOf = ({ index }: Shard): ShardProgress => {
    const progress = shards.get(index) ?? { neglectedFrom: 0, openSeen: 0 };
    shards.set(index, progress);
    return progress;
  };

  /** @returns The number of generations without a job. */
  async function ensureJobs(ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0;
    const missing = await database.jobs.findMissing(ids);
    if (missing.length === 0) return 0;
    // An end also removes the job, so generations that have ended meanwhile need none.
    const unfinished = await upkeep.findOpen(missing);
    await database.jobs.insertMissing(
      unfinished.map((each) => ({
        generationId: each.id,
        accountId: each.accountId,
        runAt: runAtOf(each),
      })),
    );
    return unfinished.length;
  }

  return {
    async bringForward() {
      if (clock.wrongClock() === 'database') return;
      const { leaseMs } = deps.timings;
      const pauses = deps.routes.providers().map(({ polls }) => (polls?.everySeconds ?? 0) * 1000);
      const poll = Math.max(maxAheadMs.poll, 4 * leaseMs, ...pauses.map((ms) => ms + clockSlackMs));
      const page = await upkeep.findAhead(clock.now(), { held: leaseMs + clockSlackMs, poll });
      const nowMs = performance.now();
      const before = ahead;
      ahead = new Map(
        page.map(({ id, dueAt }) => {
          const earlier = before.get(id);
          return [id, { dueAt, since: earlier?.dueAt === dueAt ? earlier.since : nowMs }];
        }),
      );
      const stuck = page.filter(
        ({ id }) => nowMs - (ahead.get(id)?.since ?? nowMs) >= (leaseMs * 2) / 3,
      );
      const count = await upkeep.bringForward(stuck);
      if (count > 0) log.warn({ count }, 'rescheduled generations with times from a wrong clock');
    },

    async wakeNeglected(shard) {
      const progress = progressOf(shard);
      const dueBefore = clock.now() - deps.timings.neglectedAfterMs;
      const { neglectedFrom } = progress;
      const page = await upkeep.findNeglected(shard, neglectedFrom, dueBefore, maxNeglected);
      const ids = page.map(({ id }) => id);
      const woken = ids.length === 0 ? 0 : await database.jobs.wakeSleeping(ids);
      const restored = await ensureJobs(ids);
      const last = page.at(-1)?.dueAt ?? 0;
      // All of a page may be due at the same moment; the next page then begins after that moment.
      const isFull = page.length === maxNeglected;
      progress.neglectedFrom = isFull ? Math.max(last, neglectedFrom + 1) : 0;
      if (woken + restored > 0) {
        log.warn({ count: woken + restored }, 'resumed stalled generations');
      }
    },

    async makeLostJobs(shard, signal) {
      const progress = progressOf(shard);
      let [seenCount, restoredCount] = [0, 0];
      for await (const ids of upkeep.openIds(shard, progress.openSeen, maxOpen)) {
        if (signal.aborted) break;
        restoredCount += await ensureJobs(ids);
        seenCount += ids.length;
      }
      const isEnd = seenCount < maxOpen && !signal.aborted;
      progress.openSeen = isEnd ? 0 : progress.openSeen + seenCount;
      if (restoredCount > 0) log.warn({ count: restoredCount }, 'restored lost jobs');
    },
  };
}

/** When a restored job runs: submitted generations are polled until their deadline. */
function runAtOf(generation: Omit<Schedule, 'leaseUntil'>): number {
  return generation.step === 'submitted' ? generation.deadlineAt : generation.dueAt;
}
