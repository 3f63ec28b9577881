import { setTimeout as pause } from 'node:timers/promises';
import type { Bundle, ZObject } from 'zapier-platform-core';

/** Ids named in every error of a step, so that no paid generation is lost. */
export interface ErrorContext {
  /** The generation, once its id is known. */
  generationId?: string;
  /** The key of a create request that was accepted, or may have been without a response. */
  idempotencyKey?: string;
}

/** Context of a step's functions: Zapier's tools, the bundle, and the step's running time. */
export interface Step {
  z: ZObject;
  bundle: Bundle;
  /** Whether Zapier runs it again later on request; a form or a test must answer immediately. */
  mayRunAgain: boolean;
  /** Whether a replay of this run could make and charge another generation if z.cache is lost. */
  mayChargeAgain: boolean;
  about: ErrorContext;
  /** When Zapier was asked to run the step again, in ms since the epoch; null before that. */
  dueAt: number | null;
  /** Ms since the step began. */
  elapsedMs(): number;
  /** The time, in ms since the epoch. */
  nowMs(): number;
  /** Waits inside the step. @param ms Milliseconds. */
  pause(ms: number): Promise<void>;
}

/** No pause ends, and no create request begins, after this many ms: Zapier ends a step after 30 s. */
const budgetMs = 20_000;

/** Time by which every request has been answered or abandoned, in ms. */
const lastResponseMs = 28_000;

/** Time limit of a request that begins now, in ms. */
export function timeoutMs(step: Step): number {
  return Math.max(1_000, Math.min(8_000, lastResponseMs - step.elapsedMs()));
}

/** Time limit of a download that begins now, in ms: the rest is for passing the file on. */
export function downloadMs(step: Step): number {
  return Math.max(1_000, budgetMs - step.elapsedMs());
}

/** Starts the clock of a create request or a search. */
export function beginStep(z: ZObject, bundle: Bundle): Step {
  return begin(z, bundle, true);
}

/** Starts the clock of a run for a form, a connection or a file: trouble is reported immediately. */
export function beginReading(z: ZObject, bundle: Bundle): Step {
  return begin(z, bundle, false);
}

function begin(z: ZObject, bundle: Bundle, mayRunAgain: boolean): Step {
  const startedAt = performance.now();
  return {
    z,
    bundle,
    mayRunAgain,
    mayChargeAgain: false,
    about: {},
    dueAt: null,
    elapsedMs: () => performance.now() - startedAt,
    // eslint-disable-next-line no-restricted-properties -- the one clock of the app
    nowMs: () => Date.now(),
    pause,
  };
}

/** Whether the step is being tested in the editor: nothing may be spent, and the response must come soon. */
export function isLoadingSample({ meta }: Bundle): boolean {
  // Zapier omits parts of a bundle, despite its type.
  return (meta as Partial<Bundle['meta']> | undefined)?.isLoadingSample === true;
}

/** Whether a pause of this many ms ends within the budget. */
export function hasRoom(step: Step, pauseMs: number): boolean {
  return step.elapsedMs() + pauseMs <= budgetMs;
}

/**
 * The error with which Zapier runs the whole step again later, with the same inputs.
 * @param seconds The server's hint; kept within 5 to 300 s.
 */
export function runAgain(step: Step, sentence: string, seconds: number): Error {
  const delay = Math.min(300, Math.max(5, Math.ceil(seconds)));
  step.dueAt = step.nowMs() + delay * 1000;
  return new step.z.errors.ThrottledError(sentence, delay);
}
