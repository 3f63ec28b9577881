import {
  AbortError,
  apiError,
  ConnectionError,
  UnexpectedAnswerError,
  type About,
  type OperatorError,
} from './errors.ts';
import type { Error as Refusal } from './generated/api.ts';
import type { Turn } from './generated/pace.ts';
import { keepResponse } from './generated/response.ts';
import { paceMs, retryAfterMs, waitMs } from './generated/retry.ts';
import { membersOf, parsed, reasonOf, refusalOf } from './answer.ts';
import type { Settings } from './settings.ts';

/** One call; all its tries send the same request. */
export interface Call {
  method: string;
  /** Below the base URL, with its query. */
  path: string;
  /** Expected value of `object` in the answer's body; null for text. */
  object: string | null;
  /** JSON. */
  body?: string | undefined;
  /** For a write: the key shared by all tries. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
  /** How long the gateway is asked to wait, in ms. */
  waitMs?: number;
}

/** A success, or an error with the head of the answer, if there was one. */
type Outcome = { value: unknown } | Failure;

interface Failure {
  error: OperatorError;
  status: number;
  headers?: Headers;
  /** In the API's own words. */
  refusal?: Refusal['error'] | null;
}

/**
 * Sends a call, and repeats the identical request while it has no answer or a temporary refusal.
 * @throws OperatorError of the last try, if it is definite or the time for retries is used up.
 */
export async function send(settings: Settings, call: Call): Promise<unknown> {
  const { platform, retryBudgetMs, onRetry, log, pace } = settings;
  const { idempotencyKey, signal } = call;
  let until = platform.now() + retryBudgetMs;
  let mayBeDone = false;
  for (let tries = 1; ; tries += 1) {
    const about: About = { idempotencyKey, mayBeDone };
    const turn = await untilTurn(settings, until, signal, about);
    const beganAt = platform.now();
    const outcome = await attempt(settings, call, about);
    if ('value' in outcome) {
      pace.accepted(turn);
      return outcome.value;
    }
    // Time that the gateway was asked to wait does not count as trouble.
    until += Math.min(platform.now() - beganAt, call.waitMs ?? 0);
    const { error, status, headers, refusal = null } = outcome;
    let ms = waitMs(platform, tries, headers && retryAfterMs(headers));
    const now = platform.now();
    if (status === 429) {
      const told = { waitMs: ms, paceMs: headers && paceMs(headers) };
      pace.refused(turn, now, { ...told, refusal: refusal ?? unexplained });
      ms = pace.nextAt(now) - now;
    }
    if (!error.retryable || now + ms > until) {
      log.error(error.message);
      throw error;
    }
    ({ mayBeDone } = error);
    log.warn(`${error.message} Trying again in ${Math.ceil(ms / 1000)} s.`);
    onRetry(error, ms);
    if (status !== 429) await platform.sleep(ms, signal);
  }
}

/** A limit of something in front of the API. */
const unexplained: Refusal['error'] = {
  type: 'rate_limit_error',
  code: 'rate_limited',
  message: 'Too many requests.',
  param: null,
  request_id: '',
  retryable: true,
  details: [],
};

/**
 * Waits until a request may be sent.
 * @throws ApiError if a limit reached by another call lasts too long; AbortError
 */
async function untilTurn(
  { platform, pace }: Settings,
  until: number,
  signal: AbortSignal | undefined,
  about: About,
): Promise<Turn> {
  for (;;) {
    const now = platform.now();
    const refusal = pace.refusal();
    if (refusal && pace.nextAt(now) > Math.max(now, until)) throw apiError(429, refusal, about);
    const turn = pace.take(now);
    if (turn.at > now) await platform.sleep(turn.at - now, signal);
    throwIfAborted(signal, about);
    if (pace.holds(turn)) return turn;
  }
}

/** @throws AbortError if the caller has aborted. */
function throwIfAborted(signal: AbortSignal | undefined, about: About): void {
  if (signal?.aborted) throw new AbortError({ ...about, cause: signal.reason as unknown });
}

async function attempt(settings: Settings, call: Call, about: About): Promise<Outcome> {
  const { platform, baseUrl, requestTimeoutMs } = settings;
  const { method, path, body: sent, signal, idempotencyKey, waitMs: asked = 0 } = call;
  const isWrite = idempotencyKey !== undefined;
  const beganAt = platform.now();
  const timeoutMs = requestTimeoutMs + asked;
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await platform.fetch(baseUrl + path, {
      method,
      headers: headersOf(settings, call),
      ...(sent !== undefined && { body: sent }),
      // The key goes only to the base URL.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    text = await response.text();
  } catch (cause) {
    const unknown = { ...about, mayBeDone: isWrite };
    throwIfAborted(signal, unknown);
    const why = timeout.aborted ? `nothing within ${timeoutMs / 1000} s` : reasonOf(cause);
    const message = `No answer from ${baseUrl} (${why}). Check the base URL and your network.`;
    return { error: new ConnectionError('no_answer', message, { ...unknown, cause }), status: 0 };
  }
  const { status, headers, ok } = response;
  const requestId = headers.get('x-request-id');
  const ms = Math.round(platform.now() - beganAt);
  settings.log.debug(
    `${method} ${path.split('?')[0] ?? ''}: ${status} in ${ms} ms (${requestId ?? 'no id'})`,
  );
  const value = valueOf(response, text, call);
  if (value !== undefined) {
    if (typeof value === 'object') keepResponse(value, { requestId, status, headers, text });
    return { value };
  }
  const refusal = ok ? null : refusalOf(parsed(text));
  if (refusal) {
    const mayBeDone = isWrite && mayHaveBeenDone(about, status);
    return { error: apiError(status, refusal, { ...about, mayBeDone }), status, headers, refusal };
  }
  const told = { ...about, mayBeDone: isWrite };
  return { error: unexpected(settings, response, told), status, headers };
}

/** The requested answer; undefined for anything else. */
function valueOf({ ok, headers }: Response, text: string, { object }: Call) {
  if (!ok) return undefined;
  if (object === null) {
    return headers.get('content-type')?.startsWith('text/csv') === true ? text : undefined;
  }
  const body = parsed(text);
  const { object: own, data } = membersOf(body);
  const isIt = own === object && (object !== 'list' || Array.isArray(data));
  return isIt ? (body as object) : undefined;
}

function headersOf({ headers, operatorKey }: Settings, { body, idempotencyKey }: Call): Headers {
  const all = new Headers(headers);
  all.set('authorization', `Bearer ${operatorKey}`);
  all.set('accept', 'application/json, text/csv');
  if (body !== undefined) all.set('content-type', 'application/json');
  if (idempotencyKey !== undefined) all.set('idempotency-key', idempotencyKey);
  return all;
}

/** Refusals that precede the lookup of a write's key: they say nothing about an earlier try. */
const beforeTheKey = new Set([401, 403, 429]);

const mayHaveBeenDone = (before: About, status: number) =>
  status >= 500 || (before.mayBeDone === true && beforeTheKey.has(status));

function unexpected({ baseUrl }: Settings, { status, headers }: Response, about: About) {
  const to = headers.get('location');
  const what =
    status >= 300 && status < 400 && to !== null
      ? `redirects to ${to}`
      : `answered ${status} with something that is not the API's`;
  const message = `${baseUrl} ${what}. Check the base URL, and proxies in between.`;
  return new UnexpectedAnswerError(status, message, about);
}
