import {
  errorEntry,
  type AnyErrorCode,
  type DetailCode,
  type ErrorCode,
  type ErrorDetail,
} from '@framegate/contract';
import type { Refusal } from '../../domain/refusal.ts';
import { language } from '../../texts/language.ts';
import { text, type FixedKey } from '../../texts/text.ts';

/** Codes of the API that no page meets: of JSON, of headers, of methods, and of limits in a request. */
type NoPages =
  'invalid_json' | `idempotency_key_${string}` | 'price_above_limit' | 'method_not_allowed';

/** A code that a page can meet has a text for people; a missing one does not compile. */
const ofPages = {
  invalid_request: 'refusals.invalid_request',
  input_url_invalid: 'refusals.input_url_invalid',
  // The key or the account went while its person was at work.
  invalid_api_key: 'refusals.no_longer_allowed',
  insufficient_credits: 'refusals.insufficient_credits',
  key_limit_reached: 'refusals.key_limit_reached',
  account_suspended: 'refusals.account_suspended',
  input_host_not_approved: 'refusals.input_host_not_approved',
  generation_not_found: 'errors.noGeneration',
  model_not_found: 'refusals.model_not_found',
  not_found: 'refusals.not_found',
  body_too_large: 'refusals.body_too_large',
  unsupported_media_type: 'refusals.unsupported_media_type',
  consent_required: 'refusals.consent_required',
  real_person_not_allowed: 'refusals.real_person_not_allowed',
  content_policy_violation: 'refusals.content_policy_violation',
  rate_limited: 'refusals.rate_limited',
  concurrency_limited: 'refusals.concurrency_limited',
  internal_error: 'refusals.internal_error',
  model_unavailable: 'refusals.model_unavailable',
  service_unavailable: 'refusals.service_unavailable',
  clock_wrong: 'refusals.clock_wrong',
} as const satisfies Record<Exclude<ErrorCode, NoPages>, FixedKey>;

const ofCodes: Readonly<Partial<Record<AnyErrorCode, FixedKey>>> = ofPages;

/** Codes whose messages pages also write themselves, in the language of the person. */
const ofPersons: readonly AnyErrorCode[] = [
  'invalid_request',
  'body_too_large',
  'account_suspended',
];

const ofDetails: Readonly<Partial<Record<string, FixedKey>>> = {
  required: 'refusals.required',
  unknown_field: 'refusals.unknown_field',
  invalid_type: 'refusals.invalid_type',
  invalid_value: 'refusals.invalid_value',
  too_short: 'refusals.too_short',
  too_long: 'refusals.too_long',
  too_many: 'refusals.too_many',
  out_of_range: 'refusals.out_of_range',
  not_supported: 'refusals.not_supported',
  not_allowed: 'refusals.not_allowed',
} satisfies Record<DetailCode, FixedKey>;

/**
 * Message of a refusal for customers. The API's own messages, which name a field or figures, are in English: other
 * languages get the message of the code, which is less exact. So does everybody where the same request may succeed
 * later: the API's words are for programs that wait.
 */
export function refusalText({
  code,
  message,
  param,
}: Pick<Refusal, 'code' | 'message' | 'param'>): string {
  const { message: usual, retryable } = errorEntry(code);
  const isOfApi = param !== undefined || !ofPersons.includes(code);
  const isReplaced = message === usual || retryable || (isOfApi && language() !== 'en');
  const key = ofCodes[code];
  return key !== undefined && isReplaced ? text(key) : message;
}

/** Message of one problem of a request, with the same rule. */
export function detailText({ code, message, param }: ErrorDetail): string {
  const key = ofDetails[code];
  if (key === undefined) return refusalText({ code: code as AnyErrorCode, message, param });
  return language() === 'en' ? message : text(key);
}
