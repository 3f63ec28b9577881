import { exchange, mayHaveArrived, strangeResponse } from './core/exchange.ts';
import { idWithin, isGeneration } from './core/generationBody.ts';
import { membersOf, parseJson } from './core/json.ts';
import { parseRefusal } from './core/refusal.ts';
import { type CallPace, type Outcome, repeat } from './core/repeat.ts';
import { keepResponse } from './core/response.ts';
import { apiError, type ErrorContext, UnexpectedResponseError } from './errors.ts';
import type { Generation } from './generated/api.ts';
import type { Settings } from './settings.ts';

/** One API call; all its attempts send the same request. */
export interface Call {
  /** Below the base URL, such as `/models`. */
  path: string;
  /** Expected value of `object` in the response's body. */
  object: string;
  /** A create request: JSON, and the key shared by all attempts. */
  create?: { body: string; idempotencyKey: string };
  /** The generation concerned. */
  generationId?: string;
  /** Key of the create request that made it, for errors. */
  createdBy?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Deadline for a response, on the platform's clock: limits (429) are waited out until then. */
  deadlineAt?: number | undefined;
  /** Whether all trouble is waited out until the deadline, beyond the retry budget. */
  isPatient?: boolean;
}

/** A response of the API. */
export interface ApiResponse<T> {
  body: T;
  headers: Headers;
}

/**
 * Sends a call, and repeats the identical request while it has no response or a temporary refusal.
 * @throws FramegateError of the last attempt, if it is definite or the time for retries is used up.
 */
export function send<T>(settings: Settings, call: Call): Promise<ApiResponse<T>> {
  const { platform, retryBudgetMs } = settings;
  const { create, createdBy, generationId, signal, isPatient = false } = call;
  const budgetUntil = platform.now() + retryBudgetMs;
  const { deadlineAt = budgetUntil } = call;
  const idempotencyKey = create?.idempotencyKey ?? createdBy;
  return repeat(
    settings,
    {
      pace: paceOf(settings, call),
      signal,
      about: { generationId, idempotencyKey },
      until: (isLimit) => (isPatient || isLimit ? deadlineAt : Math.min(deadlineAt, budgetUntil)),
    },
    (about) => sendOnce<T>(settings, call, about),
  );
}

/** The service counts create requests, reads of one generation and other reads separately. */
function paceOf({ paces }: Settings, { create, generationId }: Call): CallPace {
  if (create) return paces.creates;
  return generationId === undefined ? paces.otherReads : paces.polls;
}

interface ReadOptions {
  signal?: AbortSignal | undefined;
  /** How long all trouble is waited out, replacing the retry budget. */
  deadlineAt?: number;
  /** Key of the create request, for errors. */
  createdBy?: string | undefined;
}

/** Reads a generation. @throws FramegateError with its id. */
export async function readGeneration(
  settings: Settings,
  id: string,
  { signal, deadlineAt, createdBy }: ReadOptions,
): Promise<Generation> {
  const path = `/generations/${encodeURIComponent(id)}`;
  const isPatient = deadlineAt !== undefined;
  const about = { object: 'generation', generationId: id, createdBy };
  const call = { path, ...about, signal, deadlineAt, isPatient };
  return (await send<Generation>(settings, call)).body;
}

async function sendOnce<T>(
  settings: Settings,
  call: Call,
  facts: ErrorContext,
): Promise<Outcome<ApiResponse<T>>> {
  const { baseUrl, requestTimeoutMs: timeoutMs } = settings;
  const { path, create, signal } = call;
  const isCreate = create !== undefined;
  const method = isCreate ? 'POST' : 'GET';
  const unknown = { ...facts, mayHaveCreated: isCreate };
  const request = { method, path, headers: headersOf(settings, create), body: create?.body };
  const result = await exchange(settings, { ...request, signal, timeoutMs }, unknown);
  if ('error' in result) return { ...result, about: unknown, status: 0 };
  const { response, text, ms } = result;
  const { status, headers, ok } = response;
  const body = parseJson(text);
  const requestId = headers.get('x-request-id');
  settings.log.debug(`${method} ${path}: ${status} in ${ms} ms (${requestId ?? 'no id'})`);
  if (ok && isResponse(body, call)) {
    keepResponse(body as object, { requestId, status, headers, text });
    return { value: { body: body as T, headers } };
  }
  const refusal = ok ? null : parseRefusal(body);
  if (refusal) {
    const mayHaveCreated = isCreate && mayHaveBeenAccepted(facts, status, refusal.code);
    const about = { ...facts, mayHaveCreated };
    return { error: apiError(status, refusal, about), about, status, headers, refusal };
  }
  const generationId = facts.generationId ?? (ok && isCreate ? idWithin(text) : undefined);
  const about = { ...unknown, generationId };
  // A page instead of a generation says nothing about it: the paid generation is requested again.
  const isTransient = ok && call.object === 'generation';
  const message = strangeResponse(baseUrl, response, "the API's JSON");
  const error = new UnexpectedResponseError(status, message, about, isTransient);
  return { error, about, status, headers };
}

function headersOf({ headers, apiKey }: Settings, create: Call['create']): Headers {
  const all = new Headers(headers);
  all.set('authorization', `Bearer ${apiKey}`);
  all.set('accept', 'application/json');
  if (create) {
    all.set('content-type', 'application/json');
    all.set('idempotency-key', create.idempotencyKey);
  }
  return all;
}

/** Whether a success is the requested response. */
function isResponse(body: unknown, { object, generationId }: Call): boolean {
  if (object === 'generation') return isGeneration(body, generationId);
  const { object: own, data } = membersOf(body);
  return own === object && (object !== 'list' || Array.isArray(data));
}

/** Refusals that precede the lookup of a create request's key: they say nothing about an earlier attempt. */
const beforeTheKey = new Set([401, 403, 429]);

function mayHaveBeenAccepted(before: ErrorContext, status: number, code: string): boolean {
  if (mayHaveArrived(status) && code !== 'model_unavailable') return true;
  return before.mayHaveCreated === true && beforeTheKey.has(status);
}
