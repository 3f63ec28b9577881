import { pause } from '@framegate/limits';
import { type Exchange, type InnerPolling, isAnswered, type PollResponse } from './exchanges.ts';
import type { Submission } from './route.ts';
import { parseJson } from './unknownJson.ts';

/** Longest pause before a call is repeated, in ms. */
const maxPauseMs = 30_000;

/**
 * Makes all calls of an order in parallel. Calls refused as busy are repeated once others of the order have succeeded:
 * those are paid for, and repeating the whole order would pay for them twice.
 * @param pauseMs First pause, which doubles; a longer Retry-After of the provider is respected.
 * @param signal End of the order's time; busy calls then stay busy.
 */
export async function makeCalls<T>(
  calls: readonly T[],
  make: (call: T) => Promise<Submission>,
  { pauseMs, signal }: { pauseMs: number; signal: AbortSignal },
): Promise<Submission[]> {
  const callOnce = async (call: T) => ({ call, result: await make(call) });
  let all = await Promise.all(calls.map(callOnce));
  for (let waitMs = pauseMs; all.some(isMade) && all.some(isBusy); waitMs *= 2) {
    const ms = Math.min(Math.max(waitMs, ...all.map(retryAfterMs)), maxPauseMs);
    await pause(ms, signal);
    if (signal.aborted) break;
    all = await Promise.all(all.map(async (each) => (isBusy(each) ? callOnce(each.call) : each)));
  }
  return all.map(({ result }) => result);
}

interface CallAttempt {
  result: Submission;
}

const isMade = ({ result }: CallAttempt) => result.kind === 'completed';

const isBusy = ({ result }: CallAttempt) => result.kind === 'refused' && result.isBusy;

function retryAfterMs({ result }: CallAttempt): number {
  const health = result.kind === 'refused' ? result.health : undefined;
  return health?.kind === 'busy' ? (health.retryAfterMs ?? 0) : 0;
}

/** Longest delay of a poll by a provider's Retry-After, in ms. */
const maxRetryAfterMs = 30_000;

/** A request with its response or error. */
export interface RequestOutcome {
  exchange: Exchange;
  response: Response | null;
  error: unknown;
  /** Whether a retry would fail in the same way. */
  isFinal: boolean;
}

/**
 * Repeats a poll or a download inside an image call until its response is usable: the submission was accepted, so
 * a network fault is not a verdict on it, and retries are free. Redirects are left to the package. The call's own
 * time limit ends it.
 * @throws Error if the provider answers that the work has ended without a file, which the exchange then
 * contains; a final error of `request`.
 */
export async function pollUntilAnswered(
  request: () => Promise<RequestOutcome>,
  polling: InnerPolling,
): Promise<Response> {
  for (;;) {
    polling.signal.throwIfAborted();
    const { exchange, response, error, isFinal } = await request();
    polling.signal.throwIfAborted();
    if (isFinal) throw error;
    if (response) {
      const verdict = classifyPollResponse(exchange, response, polling);
      if (verdict === 'usable') return response;
      if (verdict !== 'inconclusive') {
        exchange.ended = verdict.ended;
        throw new Error('the provider has ended the work');
      }
    }
    const waitMs = Math.min(exchange.retryAfterMs ?? 0, maxRetryAfterMs);
    await pause(Math.max(polling.pauseMs, waitMs), polling.signal);
  }
}

/** Pages of an intermediary, empty responses and failure statuses are inconclusive. */
function classifyPollResponse(
  exchange: Exchange,
  { status, headers, body }: Response,
  polling: InnerPolling,
): PollResponse {
  if (status >= 300 && status < 400) return 'usable';
  const type = headers.get('content-type') ?? '';
  if (!isAnswered(exchange) || body === null) return 'inconclusive';
  // A file that is not text, even with a label of text.
  if (exchange.isFile === true && exchange.body === null) return 'usable';
  if (/html|xml/i.test(type)) return 'inconclusive';
  if (!/json/i.test(type)) return 'usable';
  const response = parseJson(exchange.body ?? '');
  return response === undefined ? 'inconclusive' : polling.parse(response);
}
