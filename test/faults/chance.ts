/** Random numbers that a seed reproduces. */
export interface Chance {
  /** 0 to below 1. */
  fraction(): number;
  /** An integer from 0 to below `limit`. */
  below(limit: number): number;
  pick<T>(of: readonly T[]): T;
}

/** Creates reproducible random numbers from a seed (mulberry32). */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(fraction() * limit);
  return {
    fraction,
    below,
    pick(of) {
      const picked = of[below(of.length)];
      if (picked === undefined) throw new RangeError('nothing to pick from');
      return picked;
    },
  };
}
