import {
  type AnyErrorCode,
  type DetailCode,
  type ErrorDetail,
  errorEntry,
} from '@framegate/contract';
import { needsCodecs, type WrongFile } from '@framegate/contract/fileKinds';
import type { Refusal } from '../domain/refusal.ts';
import { type InternalRefusalCode, isInternalCode } from '../domain/refusalCodes.ts';
import { language } from './language.ts';
import { catalogueOf, type FixedKey, text, type TextKey, wordsOf } from './text.ts';

/** Codes that only programs meet: of JSON, headers, methods, limits in a request, cursors, and operator keys. */
type ProgramCode =
  | 'invalid_json'
  | `idempotency_key_${string}`
  | 'price_above_limit'
  | 'method_not_allowed'
  | 'cursor_invalid'
  | 'feed_restored'
  | 'insufficient_scope'
  | 'address_not_allowed'
  | 'member_not_found';

/** Each code that a person can meet has a text; without it, this type does not compile. */
type WordedCode = Exclude<AnyErrorCode, ProgramCode> | InternalRefusalCode;
const refusalTextKey = <Code extends WordedCode>(code: Code): TextKey =>
  `refusals.${code}` satisfies TextKey;
const detailTextKey = (code: DetailCode): FixedKey => `details.${code}`;

/** Codes whose own message, if they have one, pages write in the language of the person. */
const personalCodes: readonly string[] = ['invalid_request', 'body_too_large', 'account_suspended'];

/**
 * The text of a refusal for a person, in the current language. The API's own messages, which name a field or figures,
 * are in English: other languages get the text of the code, which is less exact. The same applies in every language
 * to requests that may succeed later, because the API's words are for programs that wait.
 */
export function describeRefusal(refusal: Refusal): string {
  const { code, message, param, values, problems } = refusal;
  if (problems.length > 0) return problems.map(describeRefusal).join(' ');
  if (code === 'file_of_wrong_kind') return describeWrongFile(values as unknown as WrongFile);
  const key = refusalTextKey(code as WordedCode);
  if (isInternalCode(code)) return wordsOf(key, values);
  if (!(key in catalogueOf('en'))) return message;
  const { message: usual, retryable } = errorEntry(code);
  const isOfApi = param !== undefined || !personalCodes.includes(code);
  const isReplaced = message === usual || retryable || (isOfApi && language() !== 'en');
  return isReplaced ? wordsOf(key, values) : message;
}

/** The sentence about a file of the wrong kind. */
export function describeWrongFile({ actualKind, expected }: WrongFile): string {
  return text('refusals.file_of_wrong_kind', {
    actualKind: text(`files.${actualKind}`),
    expected: needsCodecs(actualKind) ? `${expected}_codecs` : expected,
  });
}

/** The text of one problem of a request, by the same rule. */
export function describeDetail({ code, message }: ErrorDetail): string {
  const key = detailTextKey(code as DetailCode);
  return language() === 'en' || !(key in catalogueOf('en')) ? message : text(key);
}
