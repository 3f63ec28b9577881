import type { Answer } from './answer.ts';
import { type ApiRequest, ask } from './client.ts';
import { errorCodeOf, isOutage, isSuccess, refusal } from './errors.ts';
import type { FieldProblem } from './labels.ts';
import { afterTrouble } from './outage.ts';
import { hasRoom, type Step } from './step.ts';

const shortPauseMs = 2_000;

/** Expectations about the answer to a request. */
interface Expectation {
  expected?: readonly number[];
  isSound?: (answer: Answer) => boolean;
  isCreate?: boolean;
  problems?: () => Promise<readonly FieldProblem[]>;
}

/** Whether the status is a success, regardless of the body. */
const isAnySuccess = ({ status }: Answer) => status >= 200 && status < 300;

/**
 * Sends a request until it is answered: inside the step once more after a short pause, then by running the step again.
 * A create request is repeated with the same body and Idempotency-Key.
 * @param subject Subject of the request, for counting failures: a digest or an id.
 * @param expectation.expected Statuses that the caller handles itself, such as 404.
 * @param expectation.isSound Whether a body is the requested answer; a success with another body is a proxy's page or a
 * partial answer, and counts as no answer.
 * @param expectation.isCreate Whether it creates something: after a lost answer, errors name its key.
 * @param expectation.problems Explains a refusal by the API in terms of the form's values.
 * @throws Zapier's errors for everything except a success (see errors.ts, outage.ts).
 */
export async function call(
  step: Step,
  subject: string,
  request: ApiRequest,
  expectation: Expectation = {},
): Promise<Answer> {
  const { expected = [], isSound = () => true, isCreate = false, problems } = expectation;
  const isGood = (each: Answer) => isSuccess(each) && isSound(each);
  const isLost = (each: Answer) => isOutage(each) || (isAnySuccess(each) && !isGood(each));
  const askOnce = async () => {
    const answered = await ask(step, request);
    const { idempotencyKey } = request;
    // Any answer but a refusal by the API itself leaves open whether it was accepted.
    const isOpen = isLost(answered) || errorCodeOf(answered) === null;
    if (isCreate && idempotencyKey !== undefined && isOpen) step.about = { idempotencyKey };
    return answered;
  };
  let answer = await askOnce();
  if (isLost(answer) && hasRoom(step, shortPauseMs)) {
    await step.pause(shortPauseMs);
    answer = await askOnce();
  }
  if (isGood(answer) || expected.includes(answer.status)) return answer;
  if (answer.status === 429 || isLost(answer)) {
    throw await afterTrouble(step, subject, answer);
  }
  const isRefused = errorCodeOf(answer) === 'invalid_request';
  throw refusal(step, answer, isRefused ? await problems?.() : []);
}
