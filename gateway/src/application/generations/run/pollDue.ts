import pLimit, { type LimitFunction } from 'p-limit';
import { minuteMs, sum } from '@framegate/contract';
import { pause, takesLonger } from '@framegate/limits';
import type { PolledGeneration } from '../../../domain/generations/generation.ts';
import type { AppCore } from '../../app.ts';
import { spanOf } from '../../ports/system.ts';
import { holdLease } from './lease.ts';
import { pollDelayMs } from './pollDelay.ts';
import { actOnPoll, pollProvider } from './pollGeneration.ts';
import { createScheduledPolls } from './scheduledPolls.ts';

/** Generations reserved at a time, per provider. */
const maxBatch = 200;
/**
 * How long generations are reserved for one process's polls, in ms; polls without news write nothing meanwhile. At most
 * four leases, so that tests with short leases reach the end.
 */
const maxReservedMs = 2 * minuteMs;
/** Polls and downloads in progress in one process, per provider; at this number no more are reserved. */
const maxUnderWay = 400;
/** How long to wait for a full provider before leaving the lane to others, in ms. */
const waitForSlotMs = 100;
/** Unfinished generations are rescheduled in batches: after this time in ms, or at this number. */
const flushAfterMs = 50;
const maxFlush = 1_000;

/** How long before the end of its reservation a poll that lasts is continued under a lease, in ms. */
const acquireWithinMs = 2_000;

/** Polls submitted generations when they are due. */
export interface Poller {
  /** Reserves and polls until nothing is due or `signal` ends it; polls already begun continue in the background. */
  pollDue(signal: AbortSignal): Promise<void>;
  /** Hands planned polls to other processes before a stop. */
  release(): void;
  /** Resolves when all begun work is done. */
  drain(): Promise<void>;
}

/** Common name for providers that no longer have a route; no provider can have this name. */
const withoutRoute = '';

/**
 * Creates the poller of one process. A batch of any size costs one find per provider and one update to reserve; until
 * the reservation ends, the times of further polls are kept in memory. Only a generation with news is leased; the news
 * is handled and files are fetched under that lease. Each provider has its own capacity, so an unresponsive one delays
 * no other.
 */
export function createPoller(deps: AppCore, stopping: AbortSignal): Poller {
  const { database, clock, log, random, reachFaultPoint, pollTurns } = deps;
  const { generations } = database;
  const { timings } = deps;
  const { leaseMs, minPollDelayMs } = timings;
  const reservedMs = Math.min(4 * leaseMs, maxReservedMs);
  const underWay = new Map<string, { works: Set<Promise<void>>; limit: LimitFunction }>();
  const flushes = new Set<Promise<void>>();
  /** Resolves when the next poll ends. */
  let ended = Promise.withResolvers<undefined>();
  let polled: { generation: PolledGeneration; dueAt: number }[] = [];
  let flushing: NodeJS.Timeout | null = null;

  const delayMs = ({ startedAt }: PolledGeneration) => {
    const nowMs = clock.now();
    return pollDelayMs(timings, nowMs - (startedAt ?? nowMs), polls.count + runningCount());
  };

  async function flush(): Promise<void> {
    flushing = null;
    const batch = polled;
    polled = [];
    try {
      for (let from = 0; from < batch.length; from += maxFlush) {
        await generations.putOff(batch.slice(from, from + maxFlush));
      }
    } catch (error) {
      // Their reservations expire, and they are polled again.
      log.warn({ error, count: batch.length }, 'failed to reschedule polled generations');
    }
  }

  function putOff(generation: PolledGeneration, dueAt: number): void {
    polled.push({ generation, dueAt });
    flushing ??= setTimeout(() => track(flushes, flush()), flushAfterMs);
  }

  /**
   * Polls a generation. News is acted on under a lease. A poll that outlasts the reservation is continued under one
   * as well, so that no other process polls meanwhile and the response counts.
   */
  async function poll(generation: PolledGeneration): Promise<void> {
    let held: PolledGeneration | null = null;
    try {
      const polling = pollProvider(deps, generation, stopping);
      const reservedForMs = generation.dueAt - clock.now() - acquireWithinMs;
      const isLong = await takesLonger(polling, Math.max(minPollDelayMs, reservedForMs));
      const result = isLong ? null : await polling;
      if (result) await reachFaultPoint('poll.afterProvider');
      if (result?.kind === 'pending' && clock.now() < generation.deadlineAt) {
        const plannedAt = Math.min(clock.now() + delayMs(generation), generation.deadlineAt);
        pollAgain(generation, pollTurns.nextAt(generation, result, plannedAt));
        return;
      }
      const leased = await generations.acquireLease(generation, leaseMs);
      // Another process has since taken it.
      if (!leased) return;
      held = leased;
      const next = await holdLease(deps, leased, stopping, async ({ signal }) => {
        const pollResult = result ?? (await polling);
        const plannedAt = await actOnPoll(deps, leased, pollResult, signal);
        return plannedAt && pollTurns.nextAt(leased, pollResult, plannedAt);
      });
      if (next !== null) putOff(leased, next);
    } catch (error) {
      if (!stopping.aborted) log.warn({ generationId: generation.id, error }, 'poll failed');
      // After a lost lease another process continues; after other errors the lease expires and the poll is repeated.
      if (held) return;
      const pauseMs = stopping.aborted ? 0 : delayMs(generation);
      pollAgain(generation, clock.now() + pauseMs);
    }
  }

  /** Plans the next poll; at a provider with a rate, by the database, so that all processes' jobs take turns. */
  function pollAgain(generation: PolledGeneration, dueAt: number): void {
    const isRated = pollTurns.isRated(generation.attempts.at(-1)?.provider ?? withoutRoute);
    const isKept = !isRated && polls.add(generation, dueAt);
    if (!isKept) putOff(generation, dueAt);
  }

  function track(works: Set<Promise<void>>, work: Promise<void>): void {
    works.add(work);
    void work.finally(() => {
      works.delete(work);
      ended.resolve(undefined);
      ended = Promise.withResolvers();
    });
  }

  const worksAt = (provider: string) => {
    const works = underWay.get(provider) ?? { works: new Set(), limit: pLimit(maxUnderWay) };
    underWay.set(provider, works);
    return works;
  };
  const runningCount = () => sum([...underWay.values()].map(({ works }) => works.size));
  const slotsAt = (provider: string) =>
    Math.min(maxBatch, maxUnderWay - worksAt(provider).works.size);

  /** Polls as soon as the generation's provider has a free slot. */
  function beginPoll(generation: PolledGeneration): void {
    const pausedUntil = pollTurns.pausedUntil(generation.attempts.at(-1));
    if (pausedUntil > clock.now()) {
      // Not all at the same moment.
      pollAgain(generation, pausedUntil + random.fraction() * delayMs(generation));
      return;
    }
    const { provider = withoutRoute } = generation.attempts.at(-1) ?? {};
    const isKnown = deps.routes.providers().some((each) => each.provider === provider);
    const { works, limit } = worksAt(isKnown ? provider : withoutRoute);
    track(
      works,
      limit(() =>
        deps.traces.runInSpan('generation poll', spanOf(generation), () => poll(generation)),
      ),
    );
  }
  const polls = createScheduledPolls(clock, beginPoll);

  /** Starts polling due generations. @returns The providers that may have more. */
  async function begin(providers: readonly string[]): Promise<string[]> {
    const limits = new Map<string, number>();
    /** Providers with free slots whose rate allows no further poll now. */
    const waiting = new Set<string>();
    for (const provider of providers) {
      const room = slotsAt(provider);
      const turns = room > 0 ? await pollTurns.take(provider, room) : 0;
      limits.set(provider, turns);
      if (turns < room) waiting.add(provider);
    }
    const others = { known: providers, limit: slotsAt(withoutRoute) };
    const { reserved, dueCounts } = await generations.reserveDue(limits, others, reservedMs);
    for (const each of reserved) beginPoll(each);
    // Another process may have reserved some of the found ones, so more may still be due. A process that got none
    // leaves the rest to the others instead of asking again immediately.
    const mayHaveMore = (at: string | null, limit: number) =>
      limit === 0 || (reserved.length > 0 && (dueCounts.get(at) ?? 0) >= limit);
    const full = [...limits]
      .filter((each) => !waiting.has(each[0]) && mayHaveMore(...each))
      .map(([at]) => at);
    return mayHaveMore(null, others.limit) ? [...full, withoutRoute] : full;
  }

  /** Waits briefly until one of these providers has a free slot. @returns Whether one has. */
  async function hasSlotsSoon(full: readonly string[]): Promise<boolean> {
    const hasSlot = () => full.some((provider) => slotsAt(provider) > 0);
    const waited = new AbortController();
    const over = pause(waitForSlotMs, waited.signal).then(() => waited.abort());
    while (!hasSlot() && !waited.signal.aborted) await Promise.race([ended.promise, over]);
    waited.abort();
    return hasSlot();
  }

  return {
    async pollDue(signal) {
      const providers = deps.routes.providers().map(({ provider }) => provider);
      while (!signal.aborted && !stopping.aborted) {
        const full = await begin(providers);
        if (full.length === 0 || !(await hasSlotsSoon(full))) return;
      }
    },
    release() {
      for (const generation of polls.release()) putOff(generation, clock.now());
    },
    async drain() {
      const pollBatches = () => [
        ...flushes,
        ...[...underWay.values()].flatMap((each) => [...each.works]),
      ];
      while (pollBatches().length > 0 || flushing) {
        if (flushing) {
          clearTimeout(flushing);
          await flush();
        }
        await Promise.all(pollBatches());
      }
    },
  };
}
