import type { Answer } from './answer.ts';
import { naming, notTheApi } from './errors.ts';
import { openMemory } from './memory.ts';
import { runAgain, type Step } from './step.ts';

/** How long an API that does not answer, or turns us away, is tried again and again, in ms. */
const outageMs = 30 * 60_000;
const busyMs = 2 * 60 * 60_000;

/** Two troubles further apart than this are two outages; the longest pause is 300 s. */
const gapMs = 15 * 60_000;

interface Trouble {
  sinceMs: number;
  lastMs: number;
}

/**
 * The error after a 429, an outage, an answer of something else than the API, or none at all: Zapier runs the step again, and once the
 * trouble has lasted too long, the run ends with a sentence. An attempt cannot count attempts
 * without the cache, so an outage ends the run at once then; a 429 says when to come back, and is
 * obeyed.
 * @param subject Names the trouble's place in the cache, and is no secret.
 * @param generationId The generation that the request was about, which every error names.
 */
export async function afterTrouble(
  step: Step,
  subject: string,
  answer: Answer,
  generationId?: string,
): Promise<Error> {
  const { z } = step;
  const named = naming(generationId);
  if (!step.mayRunAgain) {
    const isForeign = answer.status >= 200 && answer.status < 300;
    if (isForeign) return notTheApi(z, answer, generationId);
    return unavailable(step, answer, `Try again in a minute.${named}`);
  }
  const nowMs = step.nowMs();
  const memory = openMemory<Trouble>(z, `trouble:${subject}`, 3 * 3600);
  const former = await memory.recall();
  const goesOn = former !== null && nowMs - former.lastMs < gapMs;
  const sinceMs = goesOn ? former.sinceMs : nowMs;
  const isCounted = await memory.remember({ sinceMs, lastMs: nowMs });
  if (answer.status === 429) {
    if (nowMs - sinceMs > busyMs) {
      return new z.errors.Error(
        `The account has had too many requests or running generations for two hours. ${replayAdvice(step, isCounted)}${named}`,
        'rate_limited',
        429,
      );
    }
    const seconds = answer.retryAfterSeconds ?? 60;
    return runAgain(step, 'Too many requests or running generations: waiting for room.', seconds);
  }
  if (!isCounted || nowMs - sinceMs > outageMs) {
    return unavailable(step, answer, replayAdvice(step, isCounted) + named);
  }
  const seconds = answer.retryAfterSeconds ?? 60;
  return runAgain(step, 'The API is not available for a moment: trying again.', seconds);
}

/** What to do after a run that trouble has ended. @param remembers Whether z.cache keeps its notes. */
function replayAdvice({ mayChargeAgain }: Step, remembers: boolean): string {
  return remembers || !mayChargeAgain
    ? 'Replay this step later; nothing is charged twice.'
    : 'Replay this step soon: once a generation has been over for six minutes, a replay makes and charges another one.';
}

/** The error that ends a run, or tells a person that there is no answer now. */
function unavailable({ z }: Step, { status }: Answer, advice: string): Error {
  return status === 429
    ? new z.errors.Error(`Too many requests for now. ${advice}`, 'rate_limited', 429)
    : new z.errors.Error(
        `The API is not available for now. ${advice}`,
        'unavailable',
        status < 300 ? 503 : status,
      );
}
