import {
  errorEntry,
  type AnyErrorCode,
  type DetailCode,
  type ErrorDetail,
} from '@framegate/contract';
import type { Refusal } from '../../domain/refusal.ts';
import { language } from '../../texts/language.ts';
import { text, type FixedKey } from '../../texts/text.ts';

const ofCodes: Readonly<Partial<Record<AnyErrorCode, FixedKey>>> = {
  invalid_request: 'refusals.invalid_request',
  input_url_invalid: 'refusals.input_url_invalid',
  insufficient_credits: 'refusals.insufficient_credits',
  account_suspended: 'refusals.account_suspended',
  input_host_not_approved: 'refusals.input_host_not_approved',
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
};

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
 * Message of a refusal for customers. The API's rules, which name a field, are in English: other languages get the
 * message of the code, which is less exact.
 */
export function refusalText({
  code,
  message,
  param,
}: Pick<Refusal, 'code' | 'message' | 'param'>): string {
  const isUsual = message === errorEntry(code).message;
  const isEnglish = isUsual || (param !== undefined && language() !== 'en');
  const key = ofCodes[code];
  return isEnglish && key !== undefined ? text(key) : message;
}

/** Message of one problem of a request, with the same rule. */
export function detailText({ code, message }: Pick<ErrorDetail, 'code' | 'message'>): string {
  const key = ofDetails[code] ?? ofCodes[code as AnyErrorCode];
  return language() === 'en' || key === undefined ? message : text(key);
}
