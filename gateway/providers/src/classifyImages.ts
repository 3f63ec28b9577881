import { AISDKError, APICallError, type ImageModelV4Result as ImageResult } from '@ai-sdk/provider';
import { classifySubmission, type FailedCall, refusedSubmission } from './classifySubmission.ts';
import { type Exchange, isAnswered, mayOrder } from './exchanges.ts';
import { imagesIn } from './jobEnd.ts';
import { imageOutputs } from './modelOutputs.ts';
import {
  failureCodeOf,
  failureTextOf,
  interpretText,
  shortMessageOf,
  staffNote,
} from './providerFailures.ts';
import { flagIn, responsesIn } from './resultFlags.ts';
import type { Submission } from './route.ts';
import type { RouteParts } from './routeParts.ts';
import { fieldsOf, parseJson } from './unknownJson.ts';
import { isOperatorsFault } from './verdicts.ts';

/**
 * A finished call has failed if it made no images, or if the provider says with them that its filter refused one: an
 * order succeeds with all images or not at all. Missing images are found when the delivery is compared with the order;
 * of more images than ordered the last ones count, because drafts come first.
 */
export function classifyImages(
  { images, providerMetadata }: Pick<ImageResult, 'images' | 'providerMetadata'>,
  n: number,
  exchanges: readonly Exchange[],
  { failureRules, http, api }: Pick<RouteParts, 'failureRules' | 'http' | 'api'>,
): Submission {
  const flag = flagIn([...responsesIn(exchanges), providerMetadata], failureRules.flags ?? []);
  if (flag === null && images.length > 0) {
    const outputs = imageOutputs(images.slice(-n), http, exchanges, api?.presentForFile);
    return { kind: 'completed', outputs };
  }
  const { body, outline } = exchanges.findLast((each) => isAnswered(each) && !each.isFile) ?? {};
  const reason = flag ?? failureTextOf(body ?? outline ?? null);
  const code = flag === null ? failureCodeOf(reason, 'work', failureRules) : 'output_rejected';
  const note = `${images.length} of ${n} images: ${reason}`;
  return refusedSubmission(code ?? 'generation_failed', {
    note: staffNote([note], failureRules.apiKey),
  });
}

/**
 * Classifies a call that threw. Images that the provider has made are taken without the package. A package that read
 * the provider's responses but returned no images reports failed work; other errors are classified like those of
 * every submission.
 */
export function classifyFailure(call: FailedCall, n: number, parts: RouteParts): Submission {
  const { failureRules, dialect } = parts;
  const { error, exchanges } = call;
  const last = exchanges.at(-1);
  const images = last?.ended === undefined ? madeImages(error, exchanges) : [];
  if (images.length > 0) return classifyImages({ images }, n, exchanges, parts);
  const wasAnswered =
    last !== undefined && isAnswered(last) && exchanges.filter(mayOrder).every(isAnswered);
  // If the dialect interprets the polls itself, the package adds nothing.
  const isVerdict =
    wasAnswered && !dialect.parseImagePoll && !APICallError.isInstance(error) && isOnContent(error);
  const message = last?.ended ?? (isVerdict ? shortMessageOf(error) : null);
  if (message === null) return classifySubmission(call, failureRules, !dialect.queuesImages);
  // A package may not pass on the provider's reason.
  const reasons = [message, last?.ended === undefined ? failureTextOf(last?.body ?? null) : ''];
  const meaning = interpretText(reasons.join(' | '), 'work', failureRules);
  // Some providers refuse a key with a status of success.
  if (last?.ended === undefined && isOperatorsFault(meaning.verdict)) {
    return classifySubmission(call, failureRules, !dialect.queuesImages);
  }
  const code = meaning.code ?? 'generation_failed';
  return refusedSubmission(code, { note: staffNote(reasons, failureRules.apiKey) });
}

/**
 * Images of an order that was answered, as URLs or base64: files that the package was fetching when it gave up, or
 * else the images in a response that it could not read.
 */
function madeImages(error: unknown, exchanges: readonly Exchange[]): string[] {
  const orders = exchanges.filter(mayOrder);
  if (orders.length === 0 || !orders.every(isAnswered)) return [];
  const files = new Set(exchanges.flatMap(({ file }) => file?.url ?? []));
  if (files.size > 0) return [...files];
  const isUnread = APICallError.isInstance(error) && isOk(error.statusCode);
  return isUnread ? imagesIn(parseJson(error.responseBody ?? '')) : [];
}

const isOk = (status = 0) => status >= 200 && status < 300;

/** Whether a package threw about the images themselves: a plain error, or one about the response's data. */
function isOnContent(error: unknown): boolean {
  if (AISDKError.isInstance(error)) {
    return error.name === 'AI_InvalidResponseDataError' || !error.name.startsWith('AI_');
  }
  return fieldsOf(error)['name'] === 'Error';
}
