import { createHash } from 'node:crypto';

/** Generates numbers from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

/** Deterministic numbers for a prompt, seed and purpose (mulberry32 seeded with SHA-256). */
export function seededRandom(prompt: string, seed: number, purpose: string): Random {
  const key = JSON.stringify([prompt, seed, purpose]);
  let state = createHash('sha256').update(key).digest().readUInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A number between two others. */
export function between(random: Random, low: number, high: number): number {
  return low + random() * (high - low);
}

/** One of several. */
export function pick<T>(random: Random, items: readonly [T, ...T[]]): T {
  return items[Math.floor(random() * items.length)] ?? items[0];
}
