import type { Generation } from '../../domain/generation.ts';
import type { Shard } from '../ports/upkeep.ts';
import type { WorkDeps } from '../generations/deps.ts';

/** Generations inspected in one round of a shard: those that stand still, and those that are open. */
const neglectedPage = 1_000;
const openPage = 1_000;
const maxOpenPages = 10;

/** Where the last round of a shard stopped; the next one goes on from there. */
interface Place {
  neglectedFrom: number;
  openAfter: string | null;
}

/** Wakes what stands still and makes lost jobs again. */
export interface Healer {
  wakeNeglected(shard: Shard): Promise<void>;
  makeLostJobs(shard: Shard, signal: AbortSignal): Promise<void>;
}

/**
 * Makes the healer of one process. It only wakes: the job runs the generation, with the process's own
 * signal and the call's own limit. A round inspects a bounded number and goes on in the next one:
 * 20,000 unfinished generations in every ten seconds.
 */
export function createHealer(deps: WorkDeps): Healer {
  const { database, upkeep, clock, log } = deps;
  const places = new Map<number, Place>();
  const placeOf = ({ index }: Shard): Place => {
    const place = places.get(index) ?? { neglectedFrom: 0, openAfter: null };
    places.set(index, place);
    return place;
  };

  /** @returns how many of them had no job. */
  async function ensureJobs(ids: readonly string[]): Promise<number> {
    const missing = await database.jobs.findMissing(ids);
    if (missing.length === 0) return 0;
    // An end removes the job after it: those that have ended meanwhile need none.
    const open = await upkeep.findOpen(missing);
    await database.jobs.insertMissing(
      open.map((each) => ({ generationId: each.id, runAt: runAtOf(each) })),
    );
    return open.length;
  }

  return {
    async wakeNeglected(shard) {
      const place = placeOf(shard);
      const dueBefore = clock.now() - deps.timings.neglectedAfterMs;
      const { neglectedFrom } = place;
      const page = await upkeep.findNeglected(shard, neglectedFrom, dueBefore, neglectedPage);
      const ids = page.map(({ id }) => id);
      const woken = await database.jobs.wakeSleeping(ids);
      const made = await ensureJobs(ids);
      const last = page.at(-1)?.dueAt ?? 0;
      // A page may begin and end at one moment: then the next one begins after it.
      const isFull = page.length === neglectedPage;
      place.neglectedFrom = isFull ? Math.max(last, neglectedFrom + 1) : 0;
      if (woken + made > 0) log.warn({ count: woken + made }, 'generations stood still: woken');
    },

    async makeLostJobs(shard, signal) {
      const place = placeOf(shard);
      let made = 0;
      for (let pages = 0; pages < maxOpenPages && !signal.aborted; pages += 1) {
        const ids = await upkeep.openAfter(shard, place.openAfter, openPage);
        made += await ensureJobs(ids);
        const isFull = ids.length === openPage;
        place.openAfter = isFull ? (ids.at(-1) ?? null) : null;
        if (!isFull) break;
      }
      if (made > 0) log.warn({ count: made }, 'lost jobs were made again');
    },
  };
}

/** When a lost job runs: what was submitted is polled by the poll lanes until its deadline. */
function runAtOf(generation: Pick<Generation, 'step' | 'dueAt' | 'deadlineAt'>): number {
  return generation.step === 'submitted' ? generation.deadlineAt : generation.dueAt;
}
