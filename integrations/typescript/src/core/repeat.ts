import type { ErrorContext, FramegateError } from '../baseError.ts';
import { apiError } from '../errors.ts';
import type { Error as Refusal } from '../generated/api.ts';
import { AbortError } from './errors.ts';
import type { CommonSettings } from './options.ts';
import type { Pace, Turn } from './pace.ts';
import type { Platform } from './platform.ts';
import { unexplainedLimit } from './refusal.ts';
import { paceMs, retryAfterMs, waitMs } from './retry.ts';

/** The pace of requests that share a limit. */
export type CallPace = Pace<Refusal['error']>;

/** A failed attempt. */
export interface Failure {
  error: FramegateError;
  /** Facts that the errors of later attempts name as well. */
  about: ErrorContext;
  /** 0 without a response. */
  status: number;
  headers?: Headers;
  /** The refusal in the API's own words. */
  refusal?: Refusal['error'] | null;
}

/** Outcome of one attempt. */
export type Outcome<T> = { value: T } | Failure;

/** How a call is repeated. */
interface Repeats {
  pace: CallPace;
  signal: AbortSignal | undefined;
  about: ErrorContext;
  /** On the platform's clock: when the last attempt may begin, after a limit (429) or after other trouble. */
  until: (isLimit: boolean) => number;
}

/**
 * Repeats a call until it has a response or a definite refusal, in turn with the others of its pace.
 * @throws FramegateError of the last attempt, if it is definite or the time for retries is used up.
 */
export async function repeat<T>(
  { platform, onRetry, log }: Pick<CommonSettings, 'onRetry' | 'log'> & { platform: Platform },
  { pace, signal, about: facts, until }: Repeats,
  attempt: (about: ErrorContext) => Promise<Outcome<T>>,
): Promise<T> {
  let about = facts;
  for (let attempts = 1; ; attempts += 1) {
    const turn = await waitForTurn(platform, pace, until(true), signal, about);
    const outcome = await attempt(about);
    if ('value' in outcome) {
      pace.recordAccepted(turn);
      return outcome.value;
    }
    const { error, status, headers, refusal } = outcome;
    let ms = waitMs(platform, attempts, headers && retryAfterMs(headers));
    const nowMs = platform.now();
    const isLimit = status === 429;
    if (isLimit) {
      const limit = { waitMs: ms, paceMs: headers && paceMs(headers) };
      pace.recordRefused(turn, nowMs, { ...limit, refusal: refusal ?? unexplainedLimit });
      ms = pace.nextAt(nowMs) - nowMs;
    }
    if (!error.retryable || nowMs + ms > until(isLimit)) {
      log.error(error.message);
      throw error;
    }
    ({ about } = outcome);
    log.warn(`${error.message} Trying again in ${Math.ceil(ms / 1000)} s.`);
    onRetry(error, ms);
    if (!isLimit) await platform.sleep(ms, signal);
  }
}

/**
 * Waits until a request may be sent.
 * @throws ApiError if a limit reached by another call lasts too long; AbortError.
 */
async function waitForTurn(
  platform: Platform,
  pace: CallPace,
  until: number,
  signal: AbortSignal | undefined,
  about: ErrorContext,
): Promise<Turn> {
  for (;;) {
    const nowMs = platform.now();
    const refusal = pace.refusal();
    // A last poll follows immediately after the deadline.
    if (refusal && pace.nextAt(nowMs) > Math.max(nowMs, until)) throw apiError(429, refusal, about);
    const turn = pace.take(nowMs);
    if (turn.at > nowMs) await platform.sleep(turn.at - nowMs, signal);
    throwIfAborted(signal, about);
    if (pace.holds(turn)) return turn;
  }
}

/** @throws AbortError if the caller has aborted. */
export function throwIfAborted(signal: AbortSignal | undefined, about: ErrorContext): void {
  if (signal?.aborted) throw new AbortError({ ...about, cause: signal.reason as unknown });
}
