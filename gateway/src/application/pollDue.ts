import type { Generation } from '../domain/generation.ts';
import { holdLease } from './holdLease.ts';
import { actOnLook, askProvider, lookDelayMs } from './lookAtGeneration.ts';
import { StaleWrite } from './ports/storeErrors.ts';
import type { WorkDeps } from './workDeps.ts';

const batchAtMost = 200;
/** Looks and take-overs under way in one process; beyond that no more are leased. */
const underWayAtMost = 400;
/** Unfinished ones that were looked at are put off together, at the latest after so long, in ms. */
const flushAfterMs = 50;

/** Looks at submitted generations when they are due. */
export interface Poller {
  /** Leases and looks until nothing is due or `signal` ends it; what it began goes on behind it. */
  pollDue(signal: AbortSignal): Promise<void>;
  /** Resolves when everything that was begun is done. */
  drain(): Promise<void>;
}

/**
 * Makes the poller of one process. A batch costs one find and one update to lease and one bulk write
 * to put off, whatever its size; files are taken over beside it, under their own prolonged leases.
 */
export function createPoller(deps: WorkDeps, stopping: AbortSignal): Poller {
  const { database, clock, log, reach } = deps;
  const underWay = new Set<Promise<void>>();
  let looked: { generation: Generation; dueAt: number }[] = [];
  let flushing: NodeJS.Timeout | null = null;

  async function flush(): Promise<void> {
    flushing = null;
    const batch = looked;
    looked = [];
    try {
      await database.generations.putOff(batch);
    } catch (error) {
      // Their leases lapse and they are looked at again.
      log.warn({ error, count: batch.length }, 'looks could not be put down');
    }
  }

  function putOff(generation: Generation, dueAt: number): void {
    looked.push({ generation, dueAt: Math.min(dueAt, generation.deadlineAt) });
    flushing ??= setTimeout(() => void track(flush()), flushAfterMs);
  }

  async function lookAt(generation: Generation): Promise<void> {
    try {
      const look = await askProvider(deps, generation, stopping);
      await reach('poll.afterLook');
      if (look.kind === 'pending' && clock.now() < generation.deadlineAt) {
        const runningMs = clock.now() - (generation.startedAt ?? clock.now());
        putOff(generation, clock.now() + lookDelayMs(runningMs));
        return;
      }
      const next = await holdLease(deps, generation, stopping, (held) =>
        actOnLook(deps, generation, look, held),
      );
      if (next !== null) putOff(generation, next);
    } catch (error) {
      if (error instanceof StaleWrite || stopping.aborted) return;
      log.warn({ generationId: generation.id, error }, 'a look failed');
    }
  }

  function track(work: Promise<void>): Promise<void> {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
    return work;
  }

  return {
    async pollDue(signal) {
      while (!signal.aborted && !stopping.aborted) {
        const room = underWayAtMost - underWay.size;
        if (room <= 0) {
          await Promise.race(underWay);
          continue;
        }
        const { leaseMs } = deps.timings;
        const due = await database.generations.claimDue(Math.min(room, batchAtMost), leaseMs);
        for (const generation of due) void track(lookAt(generation));
        if (due.length < batchAtMost / 2) return;
      }
    },
    async drain() {
      while (underWay.size > 0 || flushing) {
        if (flushing) {
          clearTimeout(flushing);
          await flush();
        }
        await Promise.all(underWay);
      }
    },
  };
}
