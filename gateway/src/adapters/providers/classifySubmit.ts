import type { Submission } from '../../application/ports/route.ts';
import type { Exchange } from './exchanges.ts';
import { judgeWords } from './failureRules.ts';
import type { ProviderVoice } from './providerVoice.ts';
import { isOwnErrorBody, messageOf, staffNote, wordsOf } from './providerWords.ts';

type Refused = Extract<Submission, { kind: 'refused' }>;

/** Statuses by which a provider itself refuses (design section 3), given its own error body. */
const refusingStatuses: readonly number[] = [400, 401, 402, 403, 404, 422];
/** Of these, the ones that are about the operator's account or settings, never about content. */
const operatorStatuses: readonly number[] = [401, 402, 404];

/**
 * What a failed submission means (design section 3). Definitely not accepted: nothing was sent; 429;
 * 400, 401, 402, 403, 404 or 422 with the provider's own error body; or a code that the adapter
 * declares. Everything else leaves the outcome unknown (I6). `busy` says that the same request may be
 * accepted later: after 429, or when the provider could not be reached. `sign` is about the provider:
 * it failed when it could not be reached or refuses the operator; it is well when it judges content.
 */
export function classifySubmit(
  call: { error: unknown; exchanges: readonly Exchange[] },
  voice: ProviderVoice,
): Extract<Submission, { kind: 'refused' | 'unknown' }> {
  const submits = call.exchanges.filter(({ method }) => method !== 'GET');
  const last = submits.at(-1);
  const note = (words: string) =>
    staffNote([last?.status?.toString() ?? null, last?.failure ?? null, words], voice.apiKey);
  const unsent = !submits.some(({ sent }) => sent);
  if (!last || unsent) {
    // Nothing left this machine: an unreachable provider, or a request that could not even be made.
    const wasUnreachable = last !== undefined;
    const message = wasUnreachable ? '' : messageOf(call.error);
    if (voice.isLocal === true) return refusedLocally(message, voice);
    return refused(null, wasUnreachable, note(message), wasUnreachable ? 'failure' : null);
  }
  const words = wordsOf(last.body);
  const isFull = last.status !== null && last.status >= 400 && voice.declaredRefusal?.test(words);
  if (last.status === 429 || isFull) {
    const sign = { kind: 'busy', retryAfterMs: last.retryAfterMs ?? null } as const;
    return { kind: 'refused', code: null, busy: true, note: note(words), sign };
  }
  const isRefusal =
    last.status !== null && refusingStatuses.includes(last.status) && isOwnErrorBody(last.body);
  if (!isRefusal) return { kind: 'unknown', note: note(words || messageOf(call.error)) };
  const isAboutOperator = operatorStatuses.includes(last.status ?? 0);
  const code = isAboutOperator ? null : judgeWords(words, 'submit', voice.rules);
  // A wrong request says nothing; without a word on content, 403 is about the operator, too.
  const blames = isAboutOperator || last.status === 403 ? 'failure' : null;
  return refused(code, false, note(words), code === null ? blames : 'success');
}

/** A renderer inside this machine says itself what was wrong. */
function refusedLocally(message: string, voice: ProviderVoice): Refused {
  const isBusy = voice.declaredRefusal?.test(message) ?? false;
  return refused(isBusy ? null : judgeWords(message, 'submit', voice.rules), isBusy, message);
}

function refused(
  code: Refused['code'],
  busy: boolean,
  note: string,
  sign: 'success' | 'failure' | null = null,
): Refused {
  return { kind: 'refused', code, busy, note, ...(sign && { sign: { kind: sign } }) };
}
