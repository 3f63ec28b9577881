import { withoutPrompt } from '@framegate/contract';
import { type Exchange, isAnswered, mayOrder } from './exchanges.ts';
import {
  type FailureRules,
  failureTextOf,
  interpretText,
  namesTask,
  noteOf,
  parseErrorResponse,
  shortMessageOf,
} from './providerFailures.ts';
import type { ProviderHealth, Submission } from './route.ts';
import { type ErrorMeaning, interpretResponse } from './verdicts.ts';

/** A submission that was definitely not accepted. */
export type RefusedSubmission = Extract<Submission, { kind: 'refused' }>;

/** A call that failed, and the words of its order. */
export interface FailedCall {
  error: unknown;
  exchanges: readonly Exchange[];
  words?: readonly string[];
}

/**
 * Classifies a failed submission by its verdict (`interpretResponse`). It was not accepted if nothing was sent, or if
 * the verdict is a refusal; everything else leaves the outcome unknown (I6). In a one-call order the request is the
 * whole work, and an error may follow work that was done and billed: there a refusal for an unknown reason ends the
 * generation, unless the provider documents it as one before the work. `busy`: the same request may be accepted later.
 */
export function classifySubmission(
  call: FailedCall,
  rules: FailureRules,
  isOneCall = false,
): Extract<Submission, { kind: 'refused' | 'unknown' }> {
  const submits = call.exchanges.filter(mayOrder);
  const last = submits.at(-1);
  const { words: customerWords = [] } = call;
  const note = (text: string) => noteOf(last, withoutPrompt(text, customerWords), rules.apiKey);
  const isUnsent = !submits.some(({ isSent }) => isSent);
  if (!last || isUnsent) {
    // Nothing was sent: the provider is unreachable, or the request could not be built.
    const wasUnreachable = last !== undefined;
    const message = wasUnreachable ? '' : shortMessageOf(call.error);
    if (rules.isLocal === true) return refusedLocally(message, rules);
    const keyIsRefused = last?.keyIsRefused === true;
    return refusedSubmission(null, {
      isBusy: wasUnreachable && !keyIsRefused,
      note: note(message),
      ...(wasUnreachable && { health: { kind: keyIsRefused ? 'key' : 'failure' } }),
    });
  }
  const text = failureTextOf(last.body);
  const unknown = { kind: 'unknown', note: note(text || shortMessageOf(call.error)) } as const;
  // Requests after an accepted one may query that order, by any method.
  if (isOneCall && submits.slice(0, -1).some(isAnswered)) return unknown;
  const wasAccepted = isAnswered(last) && namesTask(last.body);
  if (wasAccepted || last.failure !== null) return unknown;
  const response = { ...parseErrorResponse(last), words: customerWords };
  const meaning = interpretResponse(response, 'submit', rules);
  if (meaning.verdict === 'unknown') return unknown;
  const mayFollowWork =
    isOneCall &&
    meaning.verdict === 'not_accepted' &&
    !meaning.isStated &&
    !refusedBeforeOrder.includes(last.status);
  const code = mayFollowWork ? 'generation_failed' : meaning.code;
  const isBusy = meaning.verdict === 'busy';
  return refusedSubmission(code, {
    isBusy,
    note: note(text),
    health: healthOf(meaning, last, withoutPrompt(text, customerWords)),
  });
}

/** Statuses that precede the work even in a one-call order: forbidden, or not found. */
const refusedBeforeOrder: readonly (number | null)[] = [403, 404, 410];

/** The route's state that a refusal reveals. */
function healthOf({ verdict }: ErrorMeaning, last: Exchange, text: string): ProviderHealth {
  switch (verdict) {
    case 'content':
    case 'input':
      return { kind: 'success' };
    case 'busy':
      return { kind: 'busy', retryAfterMs: last.retryAfterMs ?? null };
    case 'key':
    case 'account':
    case 'region':
    case 'model_gone':
      return { kind: verdict };
    default:
      return { kind: 'refusal', said: comparableText(last.status, text) };
  }
}

/** Maximum length of the part by which refusals are compared, in characters. */
const maxComparableCharacters = 200;

/** How many characters of a refusal are read: removing URLs and quotations shortens it. */
const maxComparedCharacters = 10 * maxComparableCharacters;

/** The status and text of a refusal without the parts that differ by order: ids, numbers, quotations and URLs. */
function comparableText(status: number | null, text: string): string {
  const normalised = text
    .slice(0, maxComparedCharacters)
    .toLowerCase()
    .replaceAll(/https?:\S+|"[^"]*"|'[^']*'|`[^`]*`/g, '*')
    .replaceAll(/(?<!\S)\S*\d\S*/g, '#');
  return `${String(status)} ${normalised}`.slice(0, maxComparableCharacters);
}

/** The error of a local renderer is its response. */
function refusedLocally(message: string, rules: FailureRules): RefusedSubmission {
  const { verdict, code } = interpretText(message, 'submit', rules);
  return refusedSubmission(code, { isBusy: verdict === 'busy', note: message });
}

/** A refused submission. */
export function refusedSubmission(
  code: RefusedSubmission['code'],
  {
    isBusy = false,
    note,
    health,
  }: Pick<RefusedSubmission, 'note'> & Partial<Omit<RefusedSubmission, 'code' | 'kind'>>,
): RefusedSubmission {
  return { kind: 'refused', code, isBusy, note, ...(health && { health }) };
}
