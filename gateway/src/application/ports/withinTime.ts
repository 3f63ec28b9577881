/**
 * Runs work that is aborted with its caller's signal or after so many ms. Nothing of it stays when the
 * work is done: `AbortSignal.timeout` would keep what listens to it, here whole answers, until its time.
 */
export async function withinTime<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => {
    limit.abort(new DOMException('It took too long.', 'TimeoutError'));
  }, ms);
  try {
    return await work(AbortSignal.any([signal, limit.signal]));
  } finally {
    clearTimeout(timer);
  }
}
