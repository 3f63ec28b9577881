import { setTimeout as sleep } from 'node:timers/promises';
import type { Bundle, ZObject } from 'zapier-platform-core';

/** What a step's functions share: Zapier's tools, the bundle, and how long the step has run. */
export interface Step {
  z: ZObject;
  bundle: Bundle;
  /** Ms since the step began. */
  elapsedMs(): number;
  /** Waits inside the step. @param ms Milliseconds. */
  pause(ms: number): Promise<void>;
}

/**
 * Zapier ends a step after 30 s. Nothing is begun after this many ms, and one request may take 8 s
 * more.
 */
export const budgetMs = 20_000;

/** Starts the clock of a step. */
export function beginStep(z: ZObject, bundle: Bundle): Step {
  const beganAt = performance.now();
  return {
    z,
    bundle,
    elapsedMs: () => performance.now() - beganAt,
    pause: (ms) => sleep(ms),
  };
}

/** Whether a pause of this many ms still ends inside the budget. */
export function hasRoom(step: Step, pauseMs: number): boolean {
  return step.elapsedMs() + pauseMs <= budgetMs;
}

/**
 * The error by which Zapier runs the whole step again later, with the same inputs.
 * @param seconds The server's hint; kept within 5 to 300 s.
 */
export function runAgain(step: Step, sentence: string, seconds: number): Error {
  const delay = Math.min(300, Math.max(5, Math.ceil(seconds)));
  return new step.z.errors.ThrottledError(sentence, delay);
}
