/** Lets a bounded number of works run at a time, in the order of asking. */
export type Turnstile = <T>(work: () => Promise<T>) => Promise<T>;

/** Makes a turnstile with so many places. */
export function createTurnstile(places: number): Turnstile {
  let free = places;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The place is handed on to the next one waiting, if any.
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
