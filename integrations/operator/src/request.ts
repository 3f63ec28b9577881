import { apiError, type ErrorContext, UnexpectedResponseError } from './errors.ts';
import { exchange, mayHaveArrived, strangeResponse } from './generated/exchange.ts';
import { membersOf, parseJson } from './generated/json.ts';
import { parseRefusal } from './generated/refusal.ts';
import { type Outcome, repeat } from './generated/repeat.ts';
import { keepResponse } from './generated/response.ts';
import type { Settings } from './settings.ts';

/** One call; all its attempts send the same request. */
export interface Call {
  method: string;
  /** Below the base URL, with its query. */
  path: string;
  /** Expected value of `object` in the response's body; null for text. */
  object: string | null;
  /** JSON. */
  body?: string | undefined;
  /** The key shared by all attempts of a write. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
  /** How long the gateway is asked to wait, in ms. */
  waitMs?: number;
}

/**
 * Sends a call, and repeats the identical request while it has no response or a temporary refusal.
 * @throws OperatorError of the last attempt, if it is definite or the time for retries is used up.
 */
export function send(settings: Settings, call: Call): Promise<unknown> {
  const { platform, pace, retryBudgetMs } = settings;
  const { idempotencyKey, signal, waitMs = 0 } = call;
  let until = platform.now() + retryBudgetMs;
  return repeat(
    settings,
    { pace, signal, about: { idempotencyKey }, until: () => until },
    async (about) => {
      const startedAt = platform.now();
      const outcome = await sendOnce(settings, call, about);
      // Time that the gateway was asked to wait does not count as trouble.
      until += Math.min(platform.now() - startedAt, waitMs);
      return outcome;
    },
  );
}

async function sendOnce(
  settings: Settings,
  call: Call,
  facts: ErrorContext,
): Promise<Outcome<unknown>> {
  const { baseUrl, requestTimeoutMs } = settings;
  const { method, path, body, signal, idempotencyKey, waitMs = 0 } = call;
  const isWrite = idempotencyKey !== undefined;
  const unknown = { ...facts, mayBeDone: isWrite };
  const request = { method, path, headers: headersOf(settings, call), body, signal };
  const timeoutMs = requestTimeoutMs + waitMs;
  const result = await exchange(settings, { ...request, timeoutMs }, unknown);
  if ('error' in result) return { ...result, about: unknown, status: 0 };
  const { response, text, ms } = result;
  const { status, headers, ok } = response;
  const requestId = headers.get('x-request-id');
  settings.log.debug(
    `${method} ${path.split('?')[0] ?? ''}: ${status} in ${ms} ms (${requestId ?? 'no id'})`,
  );
  const value = valueOf(response, text, call);
  if (value !== undefined) {
    if (typeof value === 'object') keepResponse(value, { requestId, status, headers, text });
    return { value };
  }
  const refusal = ok ? null : parseRefusal(parseJson(text));
  if (refusal) {
    const about = { ...facts, mayBeDone: isWrite && mayHaveBeenDone(facts, status) };
    return { error: apiError(status, refusal, about), about, status, headers, refusal };
  }
  const message = strangeResponse(baseUrl, response, "the API's");
  const error = new UnexpectedResponseError(status, message, unknown);
  return { error, about: unknown, status, headers };
}

/** The requested response; undefined for anything else. */
function valueOf({ ok, headers }: Response, text: string, { object }: Call) {
  if (!ok) return undefined;
  if (object === null) {
    return headers.get('content-type')?.startsWith('text/csv') === true ? text : undefined;
  }
  const body = parseJson(text);
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

/** Refusals that precede the lookup of a write's key: they say nothing about an earlier attempt. */
const beforeTheKey = new Set([401, 403, 429]);

const mayHaveBeenDone = (before: ErrorContext, status: number) =>
  mayHaveArrived(status) || (before.mayBeDone === true && beforeTheKey.has(status));
