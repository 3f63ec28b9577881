import { type ErrorCode, errorCodes } from './generated/contract.ts';
import { asObject } from './json.ts';
import { type FieldProblem, describeProblem } from './labels.ts';
import type { ApiResponse } from './response.ts';
import { refusalSentences } from './sentences.ts';
import type { Step } from './step.ts';

/**
 * Marks an error so that Zapier shows only its sentence. Otherwise Zapier's core appends the step's history: its inputs
 * and the beginning of every response's body.
 */
export function markAsUserFacing(error: Error): Error {
  return Object.assign(error, { doNotContextify: true });
}

/** Whether the response leaves the result of the request open: the same request may be repeated. */
export function isOutage(response: ApiResponse): boolean {
  const { status } = response;
  return status === 0 || status === 408 || status === 425 || status >= 500;
}

/** Whether this is one of the API's documented success responses. */
export function isSuccess(response: ApiResponse): boolean {
  return (response.status === 200 || response.status === 202) && response.data !== null;
}

/** The error for a response at the base URL that is not the API's. */
export function notTheApi(step: Step, { status }: ApiResponse): Error {
  const isRedirect = status >= 300 && status < 400;
  const what = isRedirect
    ? 'The Base URL redirects to another address.'
    : 'The Base URL does not lead to the API.';
  return new step.z.errors.Error(
    `${what} Copy it again from your account's API keys page into the connection, under App Connections in Zapier; it ends in /v1.${naming(step)}`,
    'base_url',
    status,
  );
}

/** The end of an error's text, which names its generation; '' without one. */
export function naming(step: Step): string {
  const { generationId, idempotencyKey } = step.about;
  if (generationId !== undefined) {
    return ` Generation ${generationId} is not lost: read it later with Find Generation.${namingKey(step)}`;
  }
  return idempotencyKey === undefined
    ? ''
    : ` If a generation was created, its Idempotency Key is ${idempotencyKey}.`;
}

/** A sentence with the order's key, if known, for a text that already names the generation. */
export function namingKey({ about: { idempotencyKey } }: Step): string {
  return idempotencyKey === undefined ? '' : ` Its Idempotency Key is ${idempotencyKey}.`;
}

/**
 * The error for a response that is neither a success, nor 429, nor an outage. Refusals halt the run without turning the
 * Zap off; an invalid key asks to reconnect. Bodies are never shown: only sentences of the shared catalogue, and the
 * problems of individual fields.
 * @param problems Problems found locally, which are more specific than the API's.
 */
export function refusal(
  step: Step,
  response: ApiResponse,
  problems: readonly FieldProblem[] = [],
): Error {
  const { errors } = step.z;
  if (response.status === 401) {
    return markAsUserFacing(
      new errors.ExpiredAuthError(
        `The API key no longer works. Open App Connections in Zapier and reconnect this account with a key from your account's API keys page.${naming(step)}`,
      ),
    );
  }
  const error = refusalIn(response);
  // Every requested path exists: a missing one belongs to another service or another base path.
  if (error === null || error.code === 'not_found') return notTheApi(step, response);
  const details = problems.length > 0 ? problems : error.details;
  return markAsUserFacing(new errors.HaltedError(sentence({ ...error, details }) + naming(step)));
}

/** The parts of a refusal worth showing. */
interface RefusalParts {
  code: ErrorCode;
  details: readonly FieldProblem[];
  credits: { required: number; available: number } | null;
}

function refusalIn({ data }: ApiResponse): RefusalParts | null {
  const error = asObject(data?.['error']);
  const code = error?.['code'];
  if (typeof code !== 'string' || !isErrorCode(code)) return null;
  const listed: unknown = error?.['details'];
  const details = (Array.isArray(listed) ? listed.map(asObject) : []).flatMap((each) => {
    const { param, message } = each ?? {};
    return typeof param === 'string' && typeof message === 'string'
      ? [{ param: printable(param, 100), message: printable(message, 300) }]
      : [];
  });
  const { required, available } = asObject(error?.['credits']) ?? {};
  const credits =
    typeof required === 'number' && typeof available === 'number' ? { required, available } : null;
  return { code, details, credits };
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code);

const printable = (text: string, maxLength: number) =>
  text.replace(/[^\P{C} ]/gu, ' ').slice(0, maxLength);

/** The code of a refusal; null if the response is not the API's. */
export function errorCodeOf(response: ApiResponse): ErrorCode | null {
  return refusalIn(response)?.code ?? null;
}

/** Advice on a refusal, with the problems of single fields by their labels. */
export function sentenceFor(code: ErrorCode, details: readonly FieldProblem[] = []): string {
  const problems = code === 'consent_required' ? [] : details.slice(0, 5).map(describeProblem);
  return [refusalSentences[code], ...problems].join(' ');
}

/** The sentence for too few credits. */
export function creditsSentence(required: number, available: number): string {
  return `This costs ${required} credits, but only ${available} are available. Nothing was charged. Add credits, then replay this step.`;
}

function sentence({ code, details, credits }: RefusalParts): string {
  if (code === 'insufficient_credits' && credits !== null) {
    return creditsSentence(credits.required, credits.available);
  }
  return sentenceFor(code, details);
}
