import pLimit from 'p-limit';
import { untilAborted } from './timing.ts';

/** Runs work in a bounded number of places, fairly between keys such as accounts. */
export interface KeyedLimiter {
  /**
   * Runs work as soon as there is a place for it. Keys take turns; the work of one key keeps its order.
   * @param work Its argument says whether it had to wait for other work of its key.
   * @param signal Ends the wait; work that has begun must listen to it itself.
   * @throws The signal's reason when it is aborted during the wait; what `refuse` makes; what `work`
   * throws.
   */
  run<T>(key: string, work: (waited: boolean) => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/**
 * Makes a limiter of p-limit's, which by itself has neither keys, nor an abortable wait, nor a bound on
 * what waits.
 * @param options.perKey Work of one key at a time.
 * @param options.places Work of all keys at a time; unbounded when absent.
 * @param options.queue How much work of one key may wait, and the error for more; unbounded when absent.
 */
export function createKeyedLimiter(options: {
  perKey: number;
  places?: number;
  queue?: { max: number; refuse: () => Error };
}): KeyedLimiter {
  const { perKey, places = Infinity, queue } = options;
  const ofAll = pLimit(places);
  const keys = new Map<string, { limit: ReturnType<typeof pLimit>; count: number }>();
  return {
    async run(key, work, signal) {
      signal?.throwIfAborted();
      const own = keys.get(key) ?? { limit: pLimit(perKey), count: 0 };
      if (queue && own.count >= perKey + queue.max) throw queue.refuse();
      const waits = own.count >= perKey;
      own.count += 1;
      keys.set(key, own);
      const begun = Promise.withResolvers<undefined>();
      const ended = Promise.withResolvers<undefined>();
      // A key has no more in the common queue than it may run, so that no key fills it.
      void own.limit(() =>
        ofAll(() => {
          begun.resolve(undefined);
          return ended.promise;
        }),
      );
      try {
        await untilAborted(begun.promise, signal);
        return await work(waits);
      } finally {
        ended.resolve(undefined);
        own.count -= 1;
        if (own.count === 0) keys.delete(key);
      }
    },
  };
}
