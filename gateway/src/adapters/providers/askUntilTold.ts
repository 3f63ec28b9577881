import { setTimeout as pause } from 'node:timers/promises';
import type { Exchange, InnerLooks, LookWord } from './exchanges.ts';
import { isAnswered } from './exchanges.ts';
import { parseJson } from './providerWords.ts';

/** The longest that a provider's Retry-After holds a look back, in ms. */
const retryAfterMaxMs = 30_000;

/** A request with its answer, or with the reason why there is none. */
export interface Asked {
  exchange: Exchange;
  response: Response | null;
  error: unknown;
  /** Whether the next one would come to the same. */
  isFinal: boolean;
}

/**
 * Makes a look or a download inside an image call until it says something: the submit was accepted, so
 * a fault on the way is no verdict (design section 3), and asking again costs nothing. Redirects are
 * the package's to follow. The call's own bound ends it.
 * @throws Error at the provider's word that the work has ended, which the exchange then holds; what
 * `ask` throws when it will never do.
 */
export async function askUntilTold(
  ask: () => Promise<Asked>,
  inner: InnerLooks,
): Promise<Response> {
  for (;;) {
    const { exchange, response, error, isFinal } = await ask();
    inner.signal.throwIfAborted();
    if (isFinal) throw error;
    if (response) {
      const word = wordOf(exchange, response, inner);
      if (word === 'told') return response;
      if (word !== 'nothing') {
        exchange.ended = word.ended;
        throw new Error('the provider has ended the work');
      }
    }
    const waitMs = Math.min(exchange.retryAfterMs ?? 0, retryAfterMaxMs);
    await pause(Math.max(inner.pauseMs, waitMs), undefined, { signal: inner.signal });
  }
}

/** Pages of something in between, empty answers and statuses of failure say nothing. */
function wordOf(
  exchange: Exchange,
  { status, headers, body }: Response,
  inner: InnerLooks,
): LookWord {
  if (status >= 300 && status < 400) return 'told';
  const type = headers.get('content-type') ?? '';
  if (!isAnswered(exchange) || body === null || /html|xml/i.test(type)) return 'nothing';
  if (!/json/i.test(type)) return 'told';
  const answer = parseJson(exchange.body ?? '');
  return answer === undefined ? 'nothing' : inner.read(answer);
}
