import { naming, notTheApi } from './errors.ts';
import { hourMs, minuteMs } from './generated/contract.ts';
import { openMemory } from './memory.ts';
import type { ApiResponse } from './response.ts';
import { runAgain, type Step } from './step.ts';
import { unreachableSentence } from './unreachable.ts';

/** How long an API that does not respond, or refuses temporarily, is retried, in ms. */
const outageMs = 30 * minuteMs;
const busyMs = 2 * hourMs;

/** Two failures further apart than this are separate outages; the longest pause is 300 s. */
const gapMs = 15 * minuteMs;

interface Trouble {
  sinceMs: number;
  lastMs: number;
}

/**
 * The error after a 429, an outage, a response of something other than the API, or none: Zapier runs the step again,
 * and if the trouble lasts too long, the run ends with a sentence. Without the cache an attempt cannot count attempts,
 * so an outage ends the run immediately; a 429 states when to return, and is obeyed.
 * @param subject Names the trouble's cache entry; not a secret.
 */
export async function afterTrouble(
  step: Step,
  subject: string,
  response: ApiResponse,
): Promise<Error> {
  const { z } = step;
  if (!step.mayRunAgain) {
    const isForeign = response.status >= 200 && response.status < 300;
    if (isForeign) return notTheApi(step, response);
    const isReachable = unreachableSentence(response.networkCode) === null;
    return unavailable(step, response, isReachable ? 'Try again in a minute.' : '');
  }
  const nowMs = step.nowMs();
  const memory = openMemory<Trouble>(z, `trouble:${subject}`, 3 * 3600);
  const former = await memory.recall();
  const goesOn = former !== null && nowMs - former.lastMs < gapMs;
  const sinceMs = goesOn ? former.sinceMs : nowMs;
  const isCounted = await memory.remember({ sinceMs, lastMs: nowMs });
  if (response.status === 429) {
    if (nowMs - sinceMs > busyMs) {
      return new z.errors.Error(
        `The account has had too many requests or running generations for two hours. ${replayAdvice(step, isCounted)}${naming(step)}`,
        'rate_limited',
        429,
      );
    }
    const seconds = response.retryAfterSeconds ?? 60;
    return runAgain(
      step,
      'Too many requests or running generations: waiting for capacity.',
      seconds,
    );
  }
  if (!isCounted || nowMs - sinceMs > outageMs) {
    return unavailable(step, response, replayAdvice(step, isCounted));
  }
  const seconds = response.retryAfterSeconds ?? 60;
  return runAgain(step, 'The API is temporarily unavailable: trying again.', seconds);
}

/** Advice after a run that trouble has ended. @param hasMemory Whether z.cache keeps its notes. */
function replayAdvice({ mayChargeAgain }: Step, hasMemory: boolean): string {
  return hasMemory || !mayChargeAgain
    ? 'Replay this step later; nothing is charged twice.'
    : 'Replay this step soon: six minutes after a generation has ended, a replay creates and charges another one.';
}

/** The error that ends a run, or tells a person that the service does not respond at present. */
function unavailable(step: Step, { status, networkCode }: ApiResponse, advice: string): Error {
  const { Error } = step.z.errors;
  const ending = (advice === '' ? '' : ` ${advice}`) + naming(step);
  if (status === 429) {
    return new Error(`Too many requests right now.${ending}`, 'rate_limited', 429);
  }
  const sentence = unreachableSentence(networkCode) ?? 'The API is currently unavailable.';
  return new Error(sentence + ending, 'unavailable', status < 300 ? 503 : status);
}
