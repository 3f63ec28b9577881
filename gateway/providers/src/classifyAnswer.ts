import {
  AISDKError,
  type Experimental_VideoModelV4OperationStatusResult as StatusResult,
} from '@ai-sdk/provider';
import type { Submission, PollResult } from './route.ts';
import { isAnswered, mayOrder, type Exchange, type RecordedCall } from './exchanges.ts';
import {
  failureCodeOf,
  failureTextOf,
  isOwnErrorBody,
  messageOf,
  noteOf,
  type FailureRules,
} from './providerFailures.ts';
import { answersIn, flagIn } from './resultFlags.ts';
import { parseJson } from './unknownJson.ts';

type Refused = Extract<Submission, { kind: 'refused' }>;

/** Statuses of a refusal if the body is the provider's own error. */
const refusingStatuses: readonly number[] = [400, 401, 402, 403, 404, 422];
/** Those about the operator's account or settings, never content. */
const operatorStatuses: readonly number[] = [401, 402, 404];

/**
 * Classifies a failed submission. Definitely not accepted: nothing was sent; 429; 400, 401, 402, 403, 404 or 422 with
 * the provider's own error body; or an error code that the dialect declares. Everything else leaves the outcome unknown
 * (I6). In a one-call order the request is the whole work, and an error may follow work that was done and billed: there
 * 400 and 422 end the generation, unless the provider documents the code as a refusal before the work. `busy`: the same
 * request may be accepted later, after 429 or if the provider was unreachable. `health` concerns the provider: a
 * failure if it was unreachable or refuses the operator, only of the model if that is missing or unavailable to the
 * operator; a success if the refusal concerns content.
 */
export function classifySubmission(
  call: { error: unknown; exchanges: readonly Exchange[] },
  rules: FailureRules,
  isOneCall = false,
): Extract<Submission, { kind: 'refused' | 'unknown' }> {
  const submits = call.exchanges.filter(mayOrder);
  const last = submits.at(-1);
  const note = (text: string) => noteOf(last, text, rules.apiKey);
  const unsent = !submits.some(({ sent }) => sent);
  if (!last || unsent) {
    // Nothing was sent: the provider is unreachable, or the request could not be built.
    const wasUnreachable = last !== undefined;
    const message = wasUnreachable ? '' : messageOf(call.error);
    if (rules.isLocal === true) return refusedLocally(message, rules);
    return refused(null, wasUnreachable, note(message), wasUnreachable ? 'failure' : null);
  }
  const text = failureTextOf(last.body);
  // Requests after an accepted one may query that order, whatever their method.
  if (isOneCall && submits.slice(0, -1).some(isAnswered)) {
    return { kind: 'unknown', note: note(text || messageOf(call.error)) };
  }
  const isFull = last.status !== null && last.status >= 400 && rules.declaredRefusal?.test(text);
  if (last.status === 429 || isFull) {
    const health = { kind: 'busy', retryAfterMs: last.retryAfterMs ?? null } as const;
    return { kind: 'refused', code: null, busy: true, note: note(text), health };
  }
  const isNamed = last.status !== null && last.status < 500 && rules.refusedBeforeWork?.test(text);
  const isRefusal =
    isNamed ||
    (last.status !== null && refusingStatuses.includes(last.status) && isOwnErrorBody(last.body));
  if (!isRefusal) return { kind: 'unknown', note: note(text || messageOf(call.error)) };
  const isAboutOperator = operatorStatuses.includes(last.status ?? 0);
  const isBeforeWork = !isOneCall || isAboutOperator || last.status === 403 || isNamed;
  const code = isAboutOperator ? null : failureCodeOf(text, 'submit', rules);
  if (code === null && !isBeforeWork) return refused('generation_failed', false, note(text));
  return refused(code, false, note(text), code === null ? healthOf(last.status, text) : 'success');
}

/**
 * The route's health as shown by a refusal. An invalid request shows nothing; 404, and 403 naming a model or an
 * endpoint, concern the model, unless a 404 names a file, which may be one customer's; 401 and 402, and 403 naming the
 * account or the key, concern the key. Any other 403 may concern content in unknown wording, so it counts as a failure.
 */
function healthOf(status: number | null, text: string): Refusal {
  if (status === 404 && namesFile.test(text) && !namesModel.test(text)) return 'failure';
  if (status === 404 || (status === 403 && namesModel.test(text))) return 'model_failure';
  if (status === 401 || status === 402) return 'key_failure';
  if (status === 403 && namesAccount.test(text)) return 'key_failure';
  return status === 403 ? 'failure' : null;
}

const namesModel = /\b(model|endpoint|deployment)/i;
const namesFile = /\b(image|video|audio|file|url|input|asset)/i;
const namesAccount = /account|balance|billing|credits|overdue|api.?key|not authenticated/i;

type Refusal = 'success' | 'failure' | 'model_failure' | 'key_failure' | null;

/** The error of a local renderer is its answer. */
function refusedLocally(message: string, rules: FailureRules): Refused {
  const isBusy = rules.declaredRefusal?.test(message) ?? false;
  return refused(isBusy ? null : failureCodeOf(message, 'submit', rules), isBusy, message);
}

export function refused(
  code: Refused['code'],
  busy: boolean,
  note: string,
  health: Refusal = null,
): Refused {
  return { kind: 'refused', code, busy, note, ...(health && { health: { kind: health } }) };
}

type Files = Extract<StatusResult, { status: 'completed' }>['videos'];

type Warnings = Extract<StatusResult, { status: 'completed' }>['warnings'];

/** Like `PollResult`, with the finished files and warnings as returned by the package. */
export type ClassifiedPoll =
  | Exclude<PollResult, { kind: 'completed' }>
  | { kind: 'completed'; files: Files; warnings: Warnings };

/**
 * Classifies the result of a poll. Only a definitive verdict fails a job: a package's `error` with a status of
 * success (or one that the dialect recognises as a verdict, if the package confuses them), or a finished job
 * without a file, or one beside which the provider says that its filter refused it. Transport faults, 5xx, 429, HTML and unreadable answers are no verdict.
 */
export function classifyPoll(
  call: RecordedCall<StatusResult>,
  rules: FailureRules,
): ClassifiedPoll {
  const last = call.exchanges.at(-1);
  if (call.ok && call.value.status === 'pending') return { kind: 'pending' };
  if (call.ok && call.value.status === 'completed') {
    const said = [...answersIn(call.exchanges.slice(-1)), call.value.providerMetadata];
    const flag = flagIn(said, rules.flags ?? []);
    if (flag !== null) {
      const note = pollNote(`refused beside the result: ${flag}`, last, rules);
      return { kind: 'failed', code: 'output_rejected', note };
    }
    const files = call.value.videos.filter(({ type }) => type !== 'uploaded');
    return files.length > 0
      ? { kind: 'completed', files, warnings: call.value.warnings }
      : failed('finished without a file', last, rules);
  }
  const message = call.ok
    ? call.value.status === 'error'
      ? call.value.error
      : ''
    : messageOf(call.error);
  const isVerdict = call.ok ? isTrusted(last, rules) : isUnfilled(call.error, last);
  if (isVerdict) return failed(message, last, rules);
  return { kind: 'fault', note: pollNote(message, last, rules) };
}

/** Whether the answer behind a package's `error` is the provider's verdict on the job. */
function isTrusted(last: Exchange | undefined, rules: FailureRules): boolean {
  if (!last) return rules.isLocal === true;
  if (last.failure !== null || last.status === null) return false;
  if (rules.isVerdict) return rules.isVerdict(last);
  return isAnswered(last) && last.body !== null && parseJson(last.body) !== undefined;
}

/**
 * Whether a package threw because the provider reports "done" without a file. The SDK's own errors about
 * transport and unreadable answers have names that begin with `AI_`.
 */
function isUnfilled(error: unknown, last: Exchange | undefined): boolean {
  if (!last || !isAnswered(last) || last.body === null) return false;
  if (!AISDKError.isInstance(error) || error.name.startsWith('AI_')) return false;
  return parseJson(last.body) !== undefined;
}

function failed(message: string, last: Exchange | undefined, rules: FailureRules): ClassifiedPoll {
  const text = [message, failureTextOf(last?.body ?? null)].join(' | ');
  const code = failureCodeOf(text, 'work', rules) ?? 'generation_failed';
  return { kind: 'failed', code, note: pollNote(message, last, rules) };
}

function pollNote(message: string, last: Exchange | undefined, rules: FailureRules): string {
  const text = failureTextOf(last?.body ?? null);
  const reason = text.includes(message) ? text : [message, text].filter(Boolean).join(': ');
  return noteOf(last, reason, rules.apiKey);
}
