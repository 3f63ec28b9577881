import type { Answer } from './answer.ts';
import { ask, type ApiRequest } from './client.ts';
import { isOutage, isSuccess, refusal } from './errors.ts';
import { afterTrouble } from './outage.ts';
import { hasRoom, type Step } from './step.ts';

const shortPauseMs = 2_000;

/**
 * Sends a request until it is answered, inside the step once more after a short pause, then by
 * running the step again. A create is repeated with the same body and Idempotency-Key.
 * @param subject What the request is about, for counting troubles: a digest or an id.
 * @param expected Statuses that the caller treats itself, such as 404.
 * @throws the errors of Zapier for everything that is not a success (see errors.ts, outage.ts).
 */
export async function call(
  step: Step,
  subject: string,
  request: ApiRequest,
  expected: readonly number[] = [],
): Promise<Answer> {
  let answer = await ask(step, request);
  if (isOutage(answer) && hasRoom(step, shortPauseMs)) {
    await step.pause(shortPauseMs);
    answer = await ask(step, request);
  }
  if (isSuccess(answer) || expected.includes(answer.status)) return answer;
  if (answer.status === 429 || isOutage(answer)) throw await afterTrouble(step, subject, answer);
  throw refusal(step.z, answer);
}
