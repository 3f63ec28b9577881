import { setTimeout as pause } from 'node:timers/promises';

const firstPauseMs = 8;
const usualMaxPauseMs = 60;

/** When to repeat a failed attempt. */
export interface RetryRule {
  /** Whether another attempt may overcome this error. */
  on: (error: unknown) => boolean;
  /** For how long, in ms; an attempt that is under way when the time is over is waited for. */
  withinMs: number;
  /** The longest pause between two attempts, in ms. */
  maxPauseMs?: number;
}

/**
 * Makes an attempt, and repeats it with jittered back-off while it fails as the rule says. What reads,
 * decides and writes in one guarded step does all three in the attempt.
 * @throws The attempt's error: any other at once, one of the rule when the time is over.
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  { on, withinMs, maxPauseMs = usualMaxPauseMs }: RetryRule,
): Promise<T> {
  const until = performance.now() + withinMs;
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!on(error) || performance.now() > until) throw error;
      await backOff(failures, maxPauseMs);
    }
  }
}

/**
 * Waits before a failed attempt is repeated: up to twice as long with each failure, and a random part
 * of it, so that processes that collided do not collide again.
 * @param failures In a row, at least 1.
 */
export async function backOff(failures: number, maxPauseMs = usualMaxPauseMs): Promise<void> {
  const spanMs = Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(failures - 1, 10));
  await pause(Math.max(1, Math.random() * spanMs));
}
