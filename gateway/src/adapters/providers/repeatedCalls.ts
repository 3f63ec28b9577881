import { setTimeout as pause } from 'node:timers/promises';
import type { Submission } from '../../application/ports/providers.ts';
import { isAnswered, type Exchange, type InnerPolling, type PollAnswer } from './exchanges.ts';
import { parseJson } from './providerFailures.ts';

/** The longest pause before a call is repeated, in ms. */
const maxPauseMs = 30_000;

/**
 * Makes all calls of an order at once. Those that the provider refuses as busy are repeated once others
 * of the order have succeeded: these are paid for, and to order the whole again would pay for them twice.
 * @param pauseMs The first pause, which doubles; a longer Retry-After of the provider is kept to.
 * @param signal The end of the order's time; what is busy then stays so.
 */
export async function makeCalls<T>(
  calls: readonly T[],
  make: (call: T) => Promise<Submission>,
  { pauseMs, signal }: { pauseMs: number; signal: AbortSignal },
): Promise<Submission[]> {
  const attempt = async (call: T) => ({ call, result: await make(call) });
  let all = await Promise.all(calls.map(attempt));
  for (let waitMs = pauseMs; all.some(isMade) && all.some(isBusy); waitMs *= 2) {
    const ms = Math.min(Math.max(waitMs, ...all.map(retryAfterMs)), maxPauseMs);
    try {
      await pause(ms, undefined, { signal });
    } catch {
      break;
    }
    all = await Promise.all(all.map(async (each) => (isBusy(each) ? attempt(each.call) : each)));
  }
  return all.map(({ result }) => result);
}

interface Attempt {
  result: Submission;
}

const isMade = ({ result }: Attempt) => result.kind === 'completed';

const isBusy = ({ result }: Attempt) => result.kind === 'refused' && result.busy;

function retryAfterMs({ result }: Attempt): number {
  const health = result.kind === 'refused' ? result.health : undefined;
  return health?.kind === 'busy' ? (health.retryAfterMs ?? 0) : 0;
}

/** The longest that a provider's Retry-After delays a poll, in ms. */
const maxRetryAfterMs = 30_000;

/** A request with its response, or with the reason why there is none. */
export interface RequestOutcome {
  exchange: Exchange;
  response: Response | null;
  error: unknown;
  /** Whether a repetition would fail in the same way. */
  isFinal: boolean;
}

/**
 * Repeats a poll or a download inside an image call until its answer can be used: the submission was
 * accepted, so a fault on the way is no verdict on it, and a repetition costs nothing. Redirects are left
 * to the package. The call's own time limit ends it.
 * @throws Error when the provider answers that the work has ended without a file, which the exchange then
 * holds; the error of `request` when that is final.
 */
export async function pollUntilAnswered(
  request: () => Promise<RequestOutcome>,
  polling: InnerPolling,
): Promise<Response> {
  for (;;) {
    const { exchange, response, error, isFinal } = await request();
    polling.signal.throwIfAborted();
    if (isFinal) throw error;
    if (response) {
      const answer = classifyAnswer(exchange, response, polling);
      if (answer === 'usable') return response;
      if (answer !== 'inconclusive') {
        exchange.ended = answer.ended;
        throw new Error('the provider has ended the work');
      }
    }
    const retryAfterMs = Math.min(exchange.retryAfterMs ?? 0, maxRetryAfterMs);
    await pause(Math.max(polling.pauseMs, retryAfterMs), undefined, { signal: polling.signal });
  }
}

/** Pages of something in between, empty answers and statuses of failure are inconclusive. */
function classifyAnswer(
  exchange: Exchange,
  { status, headers, body }: Response,
  polling: InnerPolling,
): PollAnswer {
  if (status >= 300 && status < 400) return 'usable';
  const type = headers.get('content-type') ?? '';
  if (!isAnswered(exchange) || body === null || /html|xml/i.test(type)) return 'inconclusive';
  if (!/json/i.test(type)) return 'usable';
  const answer = parseJson(exchange.body ?? '');
  return answer === undefined ? 'inconclusive' : polling.read(answer);
}
