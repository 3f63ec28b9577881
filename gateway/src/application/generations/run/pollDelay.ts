import { jitter } from '../../../domain/time/backoff.ts';
import type { AppCore } from '../../app.ts';
import type { Timings } from '../timings.ts';

/** Longest pause while few are in flight, in ms: an end is noticed within 5 s. */
const maxQuietDelayMs = 4_000;
/** Longest pause while many are in flight, in ms: an end is noticed within 10 s. */
const maxBusyDelayMs = 8_000;
/** Polls per second of one process up to which the shorter pauses apply. */
const maxPollsPerSecond = 1_250;

/**
 * The pause in ms before the next poll of a generation that has run for `runningMs`, in a process with `inFlight`
 * generations to poll: about a twelfth of its running time, longer if polling would exceed `maxPollsPerSecond`.
 */
export function pollDelayMs(
  { minPollDelayMs }: Pick<Timings, 'minPollDelayMs'>,
  runningMs: number,
  inFlight: number,
): number {
  const spreadMs = Math.min(maxBusyDelayMs, (inFlight / maxPollsPerSecond) * 1000);
  const minDelayMs = Math.max(minPollDelayMs, spreadMs);
  return Math.min(Math.max(maxQuietDelayMs, spreadMs), Math.max(minDelayMs, runningMs / 12));
}

/** The pause after a failed poll or download of a generation that has run for `runningMs`, in ms. */
export function retryDelayMs(
  { random, timings: { minPollDelayMs } }: Pick<AppCore, 'random' | 'timings'>,
  runningMs: number,
): number {
  const ms = 2 * Math.min(maxBusyDelayMs, Math.max(minPollDelayMs, runningMs / 12));
  return jitter(ms, random.fraction());
}
