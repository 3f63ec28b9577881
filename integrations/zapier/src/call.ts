import type { Answer } from './answer.ts';
import { ask, type ApiRequest } from './client.ts';
import { isOutage, isSuccess, refusal } from './errors.ts';
import { afterTrouble } from './outage.ts';
import { hasRoom, type Step } from './step.ts';

const shortPauseMs = 2_000;

/** What a request expects, and what its errors must not lose. */
interface Expectation {
  expected?: readonly number[];
  isSound?: (answer: Answer) => boolean;
  generationId?: string;
}

/** Whether the status is one of success, whatever the body. */
const isAnySuccess = ({ status }: Answer) => status >= 200 && status < 300;

/**
 * Sends a request until it is answered, inside the step once more after a short pause, then by
 * running the step again. A create is repeated with the same body and Idempotency-Key.
 * @param subject What the request is about, for counting troubles: a digest or an id.
 * @param told.expected Statuses that the caller treats itself, such as 404.
 * @param told.isSound Whether a body is the answer that was asked for; a success with another body is
 *   the page of a proxy, or half an answer, and counts as no answer.
 * @param told.generationId The generation it is about, which every error names.
 * @throws the errors of Zapier for everything that is not a success (see errors.ts, outage.ts).
 */
export async function call(
  step: Step,
  subject: string,
  request: ApiRequest,
  { expected = [], isSound = () => true, generationId }: Expectation = {},
): Promise<Answer> {
  const isGood = (each: Answer) => isSuccess(each) && isSound(each);
  const isLost = (each: Answer) => isOutage(each) || (isAnySuccess(each) && !isGood(each));
  let answer = await ask(step, request);
  if (isLost(answer) && hasRoom(step, shortPauseMs)) {
    await step.pause(shortPauseMs);
    answer = await ask(step, request);
  }
  if (isGood(answer) || expected.includes(answer.status)) return answer;
  if (answer.status === 429 || isLost(answer)) {
    throw await afterTrouble(step, subject, answer, generationId);
  }
  throw refusal(step.z, answer, generationId);
}
