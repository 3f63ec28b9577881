import type { Submission } from './route.ts';
import { isAnswered, mayOrder, type Exchange } from './exchanges.ts';
import {
  failureCodeOf,
  failureTextOf,
  isOwnErrorBody,
  messageOf,
  noteOf,
  type FailureRules,
} from './providerFailures.ts';

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
