import { type ApiRequest, ask } from './client.ts';
import { errorCodeOf, isOutage, isSuccess, refusal } from './errors.ts';
import type { FieldProblem } from './labels.ts';
import { afterTrouble } from './outage.ts';
import type { ApiResponse } from './response.ts';
import { hasRoom, type Step } from './step.ts';

const shortPauseMs = 2_000;

/** Expectations about the response to a request. */
interface Expectation {
  expected?: readonly number[];
  isSound?: (response: ApiResponse) => boolean;
  isCreate?: boolean;
  problems?: () => Promise<readonly FieldProblem[]>;
}

/** Whether the status is a success, regardless of the body. */
const isAnySuccess = ({ status }: ApiResponse) => status >= 200 && status < 300;

/**
 * Sends a request until it is answered: inside the step once more after a short pause, then by running the step again.
 * A create request is repeated with the same body and Idempotency-Key.
 * @param subject Subject of the request, for counting failures: a digest or an id.
 * @param expectation.expected Statuses that the caller handles itself, such as 404.
 * @param expectation.isSound Whether a body is the requested response; a success with another body is a proxy's page or
 * a partial response, and counts as no response.
 * @param expectation.isCreate Whether it creates something: after a lost response, errors name its key.
 * @param expectation.problems Explains a refusal by the API in terms of the form's values.
 * @throws Zapier's errors for everything except a success (see errors.ts, outage.ts).
 */
export async function call(
  step: Step,
  subject: string,
  request: ApiRequest,
  expectation: Expectation = {},
): Promise<ApiResponse> {
  const { expected = [], isSound = () => true, isCreate = false, problems } = expectation;
  const isGood = (each: ApiResponse) => isSuccess(each) && isSound(each);
  const isLost = (each: ApiResponse) => isOutage(each) || (isAnySuccess(each) && !isGood(each));
  const askOnce = async () => {
    const answered = await ask(step, request);
    const { idempotencyKey } = request;
    // Any response but a refusal by the API itself leaves open whether it was accepted.
    const isOpen = isLost(answered) || errorCodeOf(answered) === null;
    if (isCreate && idempotencyKey !== undefined && isOpen) step.about = { idempotencyKey };
    return answered;
  };
  let response = await askOnce();
  if (isLost(response) && hasRoom(step, shortPauseMs)) {
    await step.pause(shortPauseMs);
    response = await askOnce();
  }
  if (isGood(response) || expected.includes(response.status)) return response;
  if (response.status === 429 || isLost(response)) {
    throw await afterTrouble(step, subject, response);
  }
  const isRefused = errorCodeOf(response) === 'invalid_request';
  throw refusal(step, response, isRefused ? await problems?.() : []);
}
