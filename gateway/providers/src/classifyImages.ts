import type { ImageModelV4Result as ImageResult } from '@ai-sdk/provider';
import { AISDKError, APICallError } from '@ai-sdk/provider';
import { classifySubmission, refused, type FailedCall } from './classifySubmission.ts';
import { isAnswered, mayOrder } from './exchanges.ts';
import { imageOutputs } from './modelOutputs.ts';
import {
  failureCodeOf,
  failureTextOf,
  messageOf,
  readText,
  staffNote,
} from './providerFailures.ts';
import type { Submission } from './route.ts';
import { fieldsOf } from './unknownJson.ts';
import type { RouteParts } from './routeParts.ts';
import { isOperatorsFault } from './verdicts.ts';

/**
 * A finished call without images, or with a withdrawn one, has failed. Missing images are found when the delivery is
 * compared with the order.
 */
export function classifyImages(result: ImageResult, n: number, parts: RouteParts): Submission {
  const takenBack = parts.dialect.refusedImages?.(result) ?? null;
  if (takenBack === null && result.images.length > 0) {
    return { kind: 'completed', outputs: imageOutputs(result.images.slice(0, n)) };
  }
  const code = takenBack === null ? null : failureCodeOf(takenBack, 'work', parts.failureRules);
  const note = `${String(result.images.length)} of ${String(n)} images: ${takenBack ?? ''}`;
  const { apiKey } = parts.failureRules;
  return refused(code ?? 'generation_failed', { note: staffNote([note], apiKey) });
}

/**
 * Classifies a call that threw. A package that read the provider's answers but returned no images reports
 * failed work; other errors are classified like those of every submission.
 */
export function classifyFailure(
  call: FailedCall,
  { failureRules, dialect }: RouteParts,
): Submission {
  const { error, exchanges } = call;
  const last = exchanges.at(-1);
  const wasAnswered =
    last !== undefined && isAnswered(last) && exchanges.filter(mayOrder).every(isAnswered);
  // If the dialect interprets the polls itself, the package adds nothing.
  const isVerdict =
    wasAnswered && !dialect.parseImagePoll && !APICallError.isInstance(error) && isOnContent(error);
  const message = last?.ended ?? (isVerdict ? messageOf(error) : null);
  if (message === null) return classifySubmission(call, failureRules, !dialect.queuesImages);
  // A package may not pass on the provider's reason.
  const reasons = [message, last?.ended === undefined ? failureTextOf(last?.body ?? null) : ''];
  const reading = readText(reasons.join(' | '), 'work', failureRules);
  // Some providers refuse a key with a status of success.
  if (last?.ended === undefined && isOperatorsFault(reading.verdict)) {
    return classifySubmission(call, failureRules, !dialect.queuesImages);
  }
  const code = reading.code ?? 'generation_failed';
  return refused(code, { note: staffNote(reasons, failureRules.apiKey) });
}

/** Whether a package threw about the images themselves: a plain error, or one about the answer's data. */
function isOnContent(error: unknown): boolean {
  if (AISDKError.isInstance(error)) {
    return error.name === 'AI_InvalidResponseDataError' || !error.name.startsWith('AI_');
  }
  return fieldsOf(error)['name'] === 'Error';
}
