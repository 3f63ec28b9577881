import type { Generation } from '../../domain/generation.ts';
import { holdLease } from './lease.ts';
import { actOnPoll, pollProvider, maxPollDelayMs, pollDelayMs } from './pollGeneration.ts';
import { spanOf } from '../ports/system.ts';
import type { WorkDeps } from './deps.ts';
import { pause } from '../ports/concurrency.ts';

/** Leased in one go, of one provider. */
const maxBatch = 200;
/** Polls and take-overs under way in one process, of one provider; beyond that no more are leased. */
const maxUnderWay = 400;
/** How long a full provider is waited for before the lane is left to others, in ms. */
const waitForRoomMs = 100;
/** Polled generations that are unfinished are put off together, at the latest after this time, in ms. */
const flushAfterMs = 50;

/** Polls submitted generations when they are due. */
export interface Poller {
  /** Leases and polls until nothing is due or `signal` ends it; what it began goes on behind it. */
  pollDue(signal: AbortSignal): Promise<void>;
  /** Resolves when everything that was begun is done. */
  drain(): Promise<void>;
}

/** Providers that are in no route any more share the places of this name, which no provider can have. */
const gone = '';

/**
 * Makes the poller of one process. A batch costs a find for each provider and one update to lease and one
 * bulk write to put off, whatever its size; files are taken over beside it, under their own prolonged
 * leases. Each provider has places of its own: one that does not answer fills these and delays no other.
 */
export function createPoller(deps: WorkDeps, stopping: AbortSignal): Poller {
  const { database, clock, log, reach } = deps;
  const underWay = new Map<string, Set<Promise<void>>>();
  const flushes = new Set<Promise<void>>();
  /** Resolves when the next poll is done. */
  let ended = Promise.withResolvers<undefined>();
  let polled: { generation: Generation; dueAt: number }[] = [];
  let flushing: NodeJS.Timeout | null = null;

  /** The longest pause between two polls, and the polls since it was last computed. */
  let maxDelayMs = maxPollDelayMs(0);
  let counted = { since: clock.now(), polls: 0 };

  function countPoll(): void {
    counted.polls += 1;
    const ms = clock.now() - counted.since;
    if (ms < maxDelayMs) return;
    // What is in flight here is polled about once within the longest pause.
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
      // Their leases lapse and they are polled again.
      log.warn({ error, count: batch.length }, 'polled generations could not be put off');
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
      await reach('poll.afterProvider');
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
      // A lost lease: another process goes on. Anything else: it lapses, and the poll is repeated.
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

  /** Begins to poll what is due. @returns the providers of which more may be due. */
  async function begin(providers: readonly string[]): Promise<string[]> {
    const limits = new Map(providers.map((provider) => [provider, roomAt(provider)]));
    const others = { known: providers, limit: roomAt(gone) };
    const { generations } = database;
    const { leased, found } = await generations.claimDue(limits, others, deps.timings.leaseMs);
    for (const generation of leased) {
      const { provider = gone } = generation.attempts.at(-1) ?? {};
      const work = deps.traces.span('generation look', spanOf(generation), () => poll(generation));
      track(worksAt(limits.has(provider) ? provider : gone), work);
    }
    // Another process may have leased a part of what was found: more may be due all the same. Who got
    // nothing leaves the rest to the others, and does not ask again at once.
    const mayHaveMore = (at: string | null, limit: number) =>
      limit === 0 || (leased.length > 0 && (found.get(at) ?? 0) >= limit);
    const full = [...limits].filter((each) => mayHaveMore(...each)).map(([at]) => at);
    return mayHaveMore(null, others.limit) ? [...full, gone] : full;
  }

  /** Waits until one of these providers has room. @returns whether one has. */
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
