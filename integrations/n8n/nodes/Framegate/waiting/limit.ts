/**
 * Limits the number of concurrent tasks; the others run in the order in which they came.
 * @returns A function that takes a task and returns its result.
 */
export function limit(maxRunning: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  const release = () => {
    running -= 1;
    waiting.shift()?.();
  };
  return async (task) => {
    while (running >= maxRunning) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await task();
    } finally {
      release();
    }
  };
}
