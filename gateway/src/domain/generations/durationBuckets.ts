import { sum } from '@framegate/contract';
/*
 * Durations counted in buckets, each 5 % wider than the previous: gives percentiles of any number of durations within
 * 2.5 %, from counts that can be added up.
 */

/** Upper bound of a bucket divided by its lower bound. */
export const bucketRatio = 1.05;
/** Shorter durations count in the first bucket, in seconds. */
export const minSeconds = 0.1;

/** Number of durations by bucket: bucket n begins at `bucketRatio ** n` seconds. */
export type DurationCounts = ReadonlyMap<number, number>;

/** The middle of a bucket, in seconds. */
export function secondsOf(bucket: number): number {
  return bucketRatio ** (bucket + 0.5);
}

/** The time in seconds within which this share of the durations ended; null without any. */
export function percentileOf(counts: DurationCounts, part: number): number | null {
  const all = sum(counts.values());
  let remaining = Math.ceil(part * all);
  for (const [bucket, count] of [...counts].toSorted(([a], [b]) => a - b)) {
    remaining -= count;
    if (remaining <= 0 && count > 0) return secondsOf(bucket);
  }
  return null;
}
