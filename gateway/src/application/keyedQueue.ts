import { DatabaseUnavailable } from './ports/storeErrors.ts';

/**
 * Runs one task at a time for each key, in the order of their coming. A task is told whether it had to
 * wait for another.
 * @throws DatabaseUnavailable when too many wait for the key.
 */
export type KeyedQueue = <T>(key: string, task: (waited: boolean) => Promise<T>) => Promise<T>;

/** Makes a queue. @param waitingMax Tasks that may wait for one key. */
export function createKeyedQueue(waitingMax = 100): KeyedQueue {
  const tails = new Map<string, { tail: Promise<unknown>; count: number }>();
  return (key, task) => {
    const before = tails.get(key);
    const count = before ? before.count + 1 : 0;
    if (count > waitingMax) {
      return Promise.reject(new DatabaseUnavailable('too many requests wait for their turn'));
    }
    const run = before ? before.tail.then(() => task(true)) : task(false);
    const entry = { count, tail: run.catch(() => undefined) };
    tails.set(key, entry);
    void entry.tail.then(() => {
      const last = tails.get(key);
      if (last === entry) tails.delete(key);
      else if (last) last.count -= 1;
    });
    return run;
  };
}
