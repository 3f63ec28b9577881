import type { Generation } from '../../domain/generation.ts';
import { holdLease } from './lease.ts';
import { actOnPoll, pollProvider, maxPollDelayMs, pollDelayMs } from './pollGeneration.ts';
import { spanOf } from '../ports/system.ts';
import type { WorkDeps } from './deps.ts';
import { pause } from '@framegate/limits';

/** Generations leased at once, per provider. */
const maxBatch = 200;
/** Polls and downloads in progress in one process, per provider; at this number no more are leased. */
const maxUnderWay = 400;
/** How long to wait for a full provider before leaving the lane to others, in ms. */
const waitForRoomMs = 100;
/** Unfinished generations are rescheduled together, at the latest after this time, in ms. */
const flushAfterMs = 50;

/** Polls submitted generations when they are due. */
export interface Poller {
  /** Leases and polls until nothing is due or `signal` ends it; polls already begun continue in the background. */
  pollDue(signal: AbortSignal): Promise<void>;
  /** Resolves when all begun work is done. */
  drain(): Promise<void>;
}

/** Shared name of providers that no longer have a route; no provider can be named so. */
const withoutRoute = '';

/**
 * Creates the poller of one process. A batch of any size costs one find per provider, one update to lease and
 * one bulk write to reschedule; files are fetched separately, under their own prolonged leases. Each provider
 * has its own capacity, so one that does not answer delays no other.
 */
export function createPoller(deps: WorkDeps, stopping: AbortSignal): Poller {
  const { database, clock, log, reachFaultPoint } = deps;
  const underWay = new Map<string, Set<Promise<void>>>();
  const flushes = new Set<Promise<void>>();
  /** Resolves when the next poll ends. */
  let ended = Promise.withResolvers<undefined>();
  let polled: { generation: Generation; dueAt: number }[] = [];
  let flushing: NodeJS.Timeout | null = null;

  /** The longest pause between two polls, and the number of polls since it was computed. */
  let maxDelayMs = maxPollDelayMs(0);
  let counted = { since: clock.now(), polls: 0 };

  function countPoll(): void {
    counted.polls += 1;
    const ms = clock.now() - counted.since;
    if (ms < maxDelayMs) return;
    // Each generation in flight here is polled about once within the longest pause.
    maxDelayMs = maxPollDelayMs((counted.polls * maxDelayMs) / ms);
    counted = { since: clock.now(), polls: 0 };
  }

  async function flush(): Promise<void> {
    flushing = null;
    const batch = polled;
    polled = [];
    try {
      await database.generations.putOff(batch);
    } catch (error) {
      // Their leases expire and they are polled again.
      log.warn({ error, count: batch.length }, 'polled generations could not be rescheduled');
    }
  }

  function putOff(generation: Generation, dueAt: number): void {
    polled.push({ generation, dueAt });
    flushing ??= setTimeout(() => track(flushes, flush()), flushAfterMs);
  }

  async function poll(generation: Generation): Promise<void> {
    countPoll();
    try {
      const result = await pollProvider(deps, generation, stopping);
      await reachFaultPoint('poll.afterProvider');
      if (result.kind === 'pending' && clock.now() < generation.deadlineAt) {
        const runningMs = clock.now() - (generation.startedAt ?? clock.now());
        const dueAt = clock.now() + pollDelayMs(runningMs, maxDelayMs);
        putOff(generation, Math.min(dueAt, generation.deadlineAt));
        return;
      }
      const next = await holdLease(deps, generation, stopping, ({ signal }) =>
        actOnPoll(deps, generation, result, signal),
      );
      if (next !== null) putOff(generation, next);
    } catch (error) {
      if (stopping.aborted) return;
      // After a lost lease another process continues; after other errors the lease expires and the poll
      // is repeated.
      log.warn({ generationId: generation.id, error }, 'a poll failed');
    }
  }

  function track(works: Set<Promise<void>>, work: Promise<void>): void {
    works.add(work);
    void work.finally(() => {
      works.delete(work);
      ended.resolve(undefined);
      ended = Promise.withResolvers();
    });
  }

  const worksAt = (provider: string): Set<Promise<void>> => {
    const works = underWay.get(provider) ?? new Set();
    underWay.set(provider, works);
    return works;
  };
  const roomAt = (provider: string) => Math.min(maxBatch, maxUnderWay - worksAt(provider).size);

  /** Starts polling due generations. @returns The providers that may have more. */
  async function begin(providers: readonly string[]): Promise<string[]> {
    const limits = new Map(providers.map((provider) => [provider, roomAt(provider)]));
    const others = { known: providers, limit: roomAt(withoutRoute) };
    const { generations } = database;
    const { leased, found } = await generations.claimDue(limits, others, deps.timings.leaseMs);
    for (const generation of leased) {
      const { provider = withoutRoute } = generation.attempts.at(-1) ?? {};
      const work = deps.traces.span('generation look', spanOf(generation), () => poll(generation));
      track(worksAt(limits.has(provider) ? provider : withoutRoute), work);
    }
    // Another process may have leased some of those found, so more may still be due. A process that got
    // none leaves the rest to the others instead of asking again at once.
    const mayHaveMore = (at: string | null, limit: number) =>
      limit === 0 || (leased.length > 0 && (found.get(at) ?? 0) >= limit);
    const full = [...limits].filter((each) => mayHaveMore(...each)).map(([at]) => at);
    return mayHaveMore(null, others.limit) ? [...full, withoutRoute] : full;
  }

  /** Waits briefly until one of these providers has room. @returns Whether one has. */
  async function hasRoomSoon(full: readonly string[]): Promise<boolean> {
    const hasRoom = () => full.some((provider) => roomAt(provider) > 0);
    const waited = new AbortController();
    const over = pause(waitForRoomMs, waited.signal).then(() => waited.abort());
    while (!hasRoom() && !waited.signal.aborted) await Promise.race([ended.promise, over]);
    waited.abort();
    return hasRoom();
  }

  return {
    async pollDue(signal) {
      const providers = deps.routes.providers().map(({ provider }) => provider);
      while (!signal.aborted && !stopping.aborted) {
        const full = await begin(providers);
        if (full.length === 0 || !(await hasRoomSoon(full))) return;
      }
    },
    async drain() {
      const works = () => [...flushes, ...[...underWay.values()].flatMap((each) => [...each])];
      while (works().length > 0 || flushing) {
        if (flushing) {
          clearTimeout(flushing);
          await flush();
        }
        await Promise.all(works());
      }
    },
  };
}
