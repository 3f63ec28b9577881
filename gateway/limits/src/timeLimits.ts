/**
 * Runs work under a timer in ms that aborts it, as its caller's signal does. Timer and listener are removed when the
 * work is done: `AbortSignal.timeout` would keep its listeners, here whole responses, in memory until it fires, and
 * `AbortSignal.any` leaves weak references at the caller's signal, which may live as long as the process.
 */
async function withTimer<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal, timer: { giveUp: () => void; refresh: () => void }) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const abort = () => limit.abort(signal.reason);
  const giveUp = () => limit.abort(new DOMException('It took too long.', 'TimeoutError'));
  const timer = setTimeout(giveUp, ms);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await work(limit.signal, { giveUp, refresh: () => void timer.refresh() });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** Runs work that is aborted by its caller's signal or after a timeout in ms. */
export function withTimeLimit<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withTimer(ms, signal, (limit) => work(limit));
}

/**
 * Runs work that receives bytes, and is aborted after a silence or if they come too slowly: it may take `silenceMs`,
 * and as long as its bytes need at `minBytesPerSecond`.
 * @param work Calls `heard` with the number of bytes whenever some arrive.
 */
export function withSilenceLimit<T>(
  { silenceMs, minBytesPerSecond }: { silenceMs: number; minBytesPerSecond: number },
  signal: AbortSignal,
  work: (signal: AbortSignal, heard: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  let allowedMs = silenceMs;
  return withTimer(silenceMs, signal, (limit, { giveUp, refresh }) =>
    work(limit, (bytes) => {
      allowedMs += (bytes / minBytesPerSecond) * 1000;
      if (performance.now() - startedAt > allowedMs) giveUp();
      else refresh();
    }),
  );
}

/**
 * Waits for a call that takes no signal, up to a timeout in ms. After that the call continues, and its result
 * or error is ignored.
 * @param makeError Makes the timeout error.
 */
export async function giveUpAfter<T>(
  ms: number,
  call: Promise<T>,
  makeError = (): Error => new DOMException(`no response within ${ms} ms`, 'TimeoutError'),
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
export async function waitUnlessAborted<T>(
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

/** Waits; ends early, without an error, if a signal is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/**
 * Starts a round at each interval (ms) unless the previous one is still running. Does not keep the process alive.
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
