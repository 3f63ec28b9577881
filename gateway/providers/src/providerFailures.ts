import type { FailureCode } from '@framegate/contract';
import type { Exchange } from './exchanges.ts';
import { redactNote } from './redact.ts';
import type { ResultFlag } from './resultFlags.ts';
import { fieldsOf, parseJson } from './unknownJson.ts';
import {
  type ErrorMeaning,
  type ErrorResponse,
  type FailureStage,
  interpretResponse,
  type MeaningRules,
} from './verdicts.ts';

/** Rules for interpreting a provider's failures. */
export interface FailureRules extends MeaningRules {
  /** Removed from notes. */
  apiKey: string;
  /** Fields next to a finished result that mean a refusal of its content. */
  flags?: readonly ResultFlag[] | undefined;
  /**
   * Whether a response to a poll is the verdict on the job, for packages that report every trouble as a failed job. If
   * absent, every JSON response with a success status is.
   */
  isVerdict?: ((exchange: Exchange) => boolean) | undefined;
  /** Set for a local renderer, whose errors are verdicts without HTTP. */
  isLocal?: boolean | undefined;
}

/** The reading of a text about a failure: `unknown` if no rule knows it. A refusal's status may add to its meaning. */
export function interpretText(
  text: string,
  stage: FailureStage,
  rules: MeaningRules,
): ErrorMeaning {
  return interpretResponse({ status: null, text, isOwn: true }, stage, rules);
}

/** The failure code for the customer of a text; null if no rule knows it, or if it concerns the operator. */
export function failureCodeOf(
  text: string,
  stage: FailureStage,
  rules: MeaningRules,
): FailureCode | null {
  return interpretText(text, stage, rules).code;
}

/** Fields of an error body with the reason; all others may echo the customer's prompt or our URLs. */
const reasonField =
  /^(errors?|error_?type|err_?(?:code|msg)|code|detail|details|message|msg|reason|reasons|type|status|title|task_status|base_resp|status_code|status_msg|failure|fail(?:ure)?_?reason|block_?reason|finish_?reason|promptfeedback|candidates|output|response|generatevideoresponse|raimediafilteredreasons|raimediafilteredcount)$/i;

const maxCharacters = 1_000;
const maxDepth = 8;

/**
 * The codes and messages of a provider's JSON response about a failure, joined; empty for non-JSON such as a
 * proxy's HTML. For rules and for staff, never for customers.
 */
export function failureTextOf(body: string | null): string {
  return cut([...reasonsIn(parseJson(body ?? ''), maxDepth)].join(' | '));
}

function* reasonsIn(value: unknown, depth: number): Generator<string> {
  if (depth === 0 || value === null) return;
  if (typeof value === 'string' || typeof value === 'number') {
    yield String(value);
  } else if (Array.isArray(value)) {
    for (const each of value) yield* reasonsIn(each, depth - 1);
  } else if (typeof value === 'object') {
    for (const [key, each] of Object.entries(value)) {
      if (reasonField.test(key)) yield* reasonsIn(each, depth - 1);
    }
  }
}

/** Whether a response is an error in the provider's own form, not a page of an intermediary. */
export function isOwnErrorBody(body: string | null): boolean {
  return Object.keys(fieldsOf(parseJson(body ?? ''))).some((key) =>
    /^(errors?|error_?type|err_?code|detail|details|message|msg|code)$/i.test(key),
  );
}

/** The parts of a response that rules read. */
export function parseErrorResponse(response: Pick<Exchange, 'status' | 'body'>): ErrorResponse {
  const { status, body } = response;
  const isOwn = isOwnErrorBody(body) || (status !== null && status < 300);
  return { status, text: wordsOf(body), isOwn };
}

/** The text of a response, including plain text, which staff are not shown. */
function wordsOf(body: string | null): string {
  const isPlain = body !== null && parseJson(body) === undefined && !body.includes('<');
  return isPlain ? cut(body) : failureTextOf(body);
}

/** Whether a response names a task, so that the order may have been accepted. */
export function namesTask(body: string | null): boolean {
  return hasTask(parseJson(body ?? ''), maxDepth);
}

function hasTask(value: unknown, depth: number): boolean {
  if (depth === 0) return false;
  return Object.entries(fieldsOf(value)).some(
    ([key, each]) => (taskField.test(key) && isId(each)) || hasTask(each, depth - 1),
  );
}

const taskField = /^(id|name|operation|(task|job|prediction|generation|video|operation)_?id)$/i;
const isId = (value: unknown) =>
  (typeof value === 'string' && value !== '') || typeof value === 'number';

/** The message of an error, shortened. */
export function shortMessageOf(error: unknown): string {
  return cut(String(fieldsOf(error)['message'] ?? error));
}

/** A note for staff: shortened, without URLs (they may contain keys) and without the provider's key. */
export function staffNote(parts: readonly (string | null)[], apiKey: string): string {
  const text = parts.filter((part) => part !== null && part !== '').join(': ');
  return cut(redactNote(text, apiKey));
}

/** A note for staff about a request: its status, its failure, and a text. */
export function noteOf(last: Partial<Exchange> | undefined, text: string, apiKey: string): string {
  return staffNote([last?.status?.toString() ?? null, last?.failure ?? null, text], apiKey);
}

function cut(text: string): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
}
