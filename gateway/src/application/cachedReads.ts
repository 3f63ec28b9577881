import { setWithin } from '@framegate/limits';
import { Refusal } from '../domain/refusal.ts';
import { writtenWithinMs } from './ports/figures.ts';
import type { Clock } from './ports/system.ts';

/**
 * Caches reads by key in this process. A call during a read gets that read's result; failed reads are not cached.
 * @param options.max Maximum number of keys; beyond it the oldest result is dropped.
 * @param options.cachedUntil Returns the expiry of a result in ms since the epoch, from the start and end of its read.
 */
export function createCachedReads<T>(
  clock: Pick<Clock, 'now'>,
  {
    max,
    read,
    cachedUntil,
  }: {
    max: number;
    read: (key: string, nowMs: number) => Promise<T>;
    cachedUntil: (key: string, startedAt: number, endedAt: number) => number;
  },
): (key: string) => Promise<T> {
  const cache = new Map<string, { until: number; result: Promise<T> }>();
  return (key) => {
    const startedAt = clock.now();
    const cached = cache.get(key);
    if (cached && startedAt < cached.until) return cached.result;
    const reading = { until: Infinity, result: read(key, startedAt) };
    setWithin(cache, key, reading, max);
    reading.result.then(
      () => (reading.until = cachedUntil(key, startedAt, clock.now())),
      () => {
        if (cache.get(key) === reading) cache.delete(key);
      },
    );
    return reading.result;
  };
}

/**
 * Expiry of sums over a time span; never, once all ends in it are readable.
 * @param cacheTimes How long sums that can still change are cached: at least this many ms, and this multiple of the
 * time to read them.
 * @returns Ms since the epoch.
 */
export function cachedUntilSettled(
  spanEndsAt: number,
  { startedAt, endedAt }: { startedAt: number; endedAt: number },
  cacheTimes: { minMs: number; times: number },
): number {
  if (startedAt >= spanEndsAt + writtenWithinMs) return Infinity;
  return cachedAfterRead({ startedAt, endedAt }, cacheTimes);
}

/** Expiry of a result that is cached at least `minMs`, and `times` the time to read it. @returns Ms since the epoch. */
export function cachedAfterRead(
  { startedAt, endedAt }: { startedAt: number; endedAt: number },
  { minMs, times }: { minMs: number; times: number },
): number {
  return startedAt + Math.max(minMs, times * (endedAt - startedAt));
}

/**
 * Reads the responses of all keys one after the other, for one page.
 * @param limits.withinMs Time limit in ms.
 * @throws Refusal `too_much_data` when the time is up; responses already read are cached.
 */
export async function readInOrder<T>(
  keys: readonly string[],
  read: (key: string) => Promise<T>,
  { clock, withinMs }: { clock: Pick<Clock, 'now'>; withinMs: number },
): Promise<T[]> {
  const until = clock.now() + withinMs;
  const responses: T[] = [];
  for (const key of keys) {
    if (clock.now() > until) throw new Refusal('too_much_data');
    responses.push(await read(key));
  }
  return responses;
}
