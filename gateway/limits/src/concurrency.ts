import pLimit from 'p-limit';

/**
 * Runs work that is aborted by its caller's signal or after a timeout in ms. Timer and listener are removed when the
 * work is done: `AbortSignal.timeout` would keep its listeners, here whole answers, in memory until it fires, and
 * `AbortSignal.any` leaves weak references at the caller's signal, which may live as long as the process.
 */
export async function withinTime<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const abort = () => limit.abort(signal.reason);
  const timer = setTimeout(() => {
    limit.abort(new DOMException('It took too long.', 'TimeoutError'));
  }, ms);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await work(limit.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/**
 * Runs work that receives bytes, and is aborted after a silence or if they come too slowly: it may take `silenceMs`, and
 * as long as its bytes need at `minBytesPerSecond`.
 * @param work Calls `heard` with the number of bytes whenever some arrive.
 */
export async function whileHeard<T>(
  { silenceMs, minBytesPerSecond }: { silenceMs: number; minBytesPerSecond: number },
  signal: AbortSignal,
  work: (signal: AbortSignal, heard: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const abort = () => limit.abort(signal.reason);
  const giveUp = () => limit.abort(new DOMException('It took too long.', 'TimeoutError'));
  const silence = setTimeout(giveUp, silenceMs);
  const begunAt = performance.now();
  let allowedMs = silenceMs;
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await work(limit.signal, (bytes) => {
      allowedMs += (bytes / minBytesPerSecond) * 1000;
      if (performance.now() - begunAt > allowedMs) giveUp();
      else silence.refresh();
    });
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', abort);
  }
}

/**
 * Waits for a call that takes no signal, up to a timeout in ms. After that the call continues, and its result
 * or error is ignored.
 * @param makeError Makes the timeout error.
 */
export async function giveUpAfter<T>(
  ms: number,
  call: Promise<T>,
  makeError = (): Error => new DOMException(`no answer within ${ms} ms`, 'TimeoutError'),
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(makeError());
  }, ms);
  try {
    return await Promise.race([call, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for work, up to a time in ms. @returns Whether it is still running; its error is left to others. */
export function takesLonger(work: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, ms, true);
  const end = () => {
    clearTimeout(timer);
    resolve(false);
  };
  work.then(end, end);
  return promise;
}

/** Waits for work, but not beyond the signal's abort. @throws The signal's reason. */
export async function untilAborted<T>(
  work: PromiseLike<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (!signal) return work;
  const aborted = Promise.withResolvers<never>();
  const abort = () => {
    aborted.reject(signal.reason);
  };
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Waits; ends early, without an error, if the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const over = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    signal.addEventListener('abort', over, { once: true });
  });
}

/**
 * Starts a round at each interval (ms) unless the previous one is still running. Does not keep the process
 * alive.
 * @param onError Called with the error of a failed round; rounds continue.
 * @returns Stops it; a running round ends by itself.
 */
export function repeatEvery(
  ms: number,
  round: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => void {
  let isUnderWay = false;
  const timer = setInterval(() => {
    if (isUnderWay) return;
    isUnderWay = true;
    round()
      .catch(onError)
      .finally(() => {
        isUnderWay = false;
      });
  }, ms).unref();
  return () => {
    clearInterval(timer);
  };
}

/** Runs work with bounded concurrency, fairly between keys such as accounts. */
export interface KeyedLimiter {
  /** Amount of work waiting for a place. */
  readonly waiting: number;
  /**
   * Runs work as soon as there is a place. Keys take turns; the work of one key keeps its order.
   * @param work Its argument tells whether it waited for other work of its key.
   * @param signal Ends the wait; running work must observe it itself.
   * @throws The signal's reason if aborted during the wait; the errors of `refuse` and `work`.
   */
  run<T>(key: string, work: (waited: boolean) => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/**
 * Creates a limiter on top of p-limit, which has no keys, no abortable wait and no bound on waiting work.
 * @param options.perKey Concurrent work per key.
 * @param options.places Concurrent work in total; unbounded if absent.
 * @param options.queue How much work of one key may wait, and the error for more; unbounded if absent.
 */
export function createKeyedLimiter(options: {
  perKey: number;
  places?: number;
  queue?: { max: number; refuse: () => Error };
}): KeyedLimiter {
  const { perKey, places = Infinity, queue } = options;
  const ofAll = pLimit(places);
  const keys = new Map<string, { limit: ReturnType<typeof pLimit>; count: number }>();
  let waiting = 0;
  return {
    get waiting() {
      return waiting;
    },
    async run(key, work, signal) {
      signal?.throwIfAborted();
      const own = keys.get(key) ?? { limit: pLimit(perKey), count: 0 };
      if (queue && own.count >= perKey + queue.max) throw queue.refuse();
      const waits = own.count >= perKey;
      own.count += 1;
      keys.set(key, own);
      const begun = Promise.withResolvers<undefined>();
      const ended = Promise.withResolvers<undefined>();
      // A key has at most as many entries in the common queue as it may run, so no key fills it.
      void own.limit(() =>
        ofAll(() => {
          begun.resolve(undefined);
          return ended.promise;
        }),
      );
      try {
        waiting += 1;
        await untilAborted(begun.promise, signal).finally(() => {
          waiting -= 1;
        });
        return await work(waits);
      } finally {
        ended.resolve(undefined);
        own.count -= 1;
        if (own.count === 0) keys.delete(key);
      }
    },
  };
}

/** No place became free in time. */
export class NoFreePlace extends Error {}

/**
 * Like `KeyedLimiter.run`, with a limit on the wait.
 * @throws NoFreePlace if the work has not begun after `maxWaitMs`.
 */
export async function runInTime<T>(
  limiter: KeyedLimiter,
  key: string,
  maxWaitMs: number,
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort(new NoFreePlace(`no place was free within ${maxWaitMs} ms`));
  }, maxWaitMs);
  const begin = () => {
    clearTimeout(timer);
    return work();
  };
  try {
    return await limiter.run(key, begin, AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}
