/** Runs works in a bounded number of places. */
export interface FairPool {
  /**
   * Runs a work when there is a place for it: keys take turns, and the works of one key keep their order.
   * @throws the signal's reason when it is aborted while the work waits; what the work throws.
   */
  run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/**
 * Makes a pool whose places no key can take for itself.
 * @param options.places Works at a time.
 * @param options.perKey Works of one key at a time.
 */
export function createFairPool({ places, perKey }: { places: number; perKey: number }): FairPool {
  const running = new Map<string, number>();
  /** Keys with works that wait; the one that was served last comes last. */
  const waiting = new Map<string, (() => void)[]>();
  let free = places;

  function startNext(): void {
    for (const [key, queue] of waiting) {
      if (free === 0) return;
      if ((running.get(key) ?? 0) >= perKey) continue;
      const start = queue.shift();
      waiting.delete(key);
      if (queue.length > 0) waiting.set(key, queue);
      if (!start) continue;
      free -= 1;
      running.set(key, (running.get(key) ?? 0) + 1);
      start();
    }
  }

  function leave(key: string): void {
    free += 1;
    const left = (running.get(key) ?? 0) - 1;
    if (left > 0) running.set(key, left);
    else running.delete(key);
    startNext();
  }

  function enter(key: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = waiting.get(key) ?? [];
      const giveUp = () => {
        queue.splice(queue.indexOf(start), 1);
        if (queue.length === 0) waiting.delete(key);
        reject(signal.reason as Error);
      };
      const start = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      queue.push(start);
      waiting.set(key, queue);
      signal.addEventListener('abort', giveUp, { once: true });
      startNext();
    });
  }

  return {
    async run(key, signal, work) {
      signal.throwIfAborted();
      await enter(key, signal);
      try {
        return await work();
      } finally {
        leave(key);
      }
    },
  };
}
