/** Pauses between repeated failures, in ms. */
export interface Backoff {
  firstMs: number;
  maxMs: number;
}

/** The pause after this many consecutive failures, at least 1: it doubles with each one, up to the maximum. */
export const backoffMs = ({ firstMs, maxMs }: Backoff, failures: number): number =>
  Math.min(maxMs, firstMs * 2 ** (failures - 1));

/**
 * Varies a pause by up to a quarter, so that work that failed together is not repeated together.
 * @param fraction Random, from 0 to 1.
 */
export const jitter = (ms: number, fraction: number): number => ms * (0.75 + fraction / 2);
