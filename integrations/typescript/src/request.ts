import { idWithin, isGeneration, membersOf, parsed, refusalOf } from './answer.ts';
import {
  AbortError,
  apiError,
  ConnectionError,
  UnexpectedAnswerError,
  type About,
  type FramegateError,
} from './errors.ts';
import type { Generation } from './generated/api.ts';
import { retryAfterMs, waitMs } from './retry.ts';
import type { Settings } from './settings.ts';
import { userAgent } from './version.ts';

/** One call of the API, whose tries are the same request. */
export interface Call {
  /** Below the base URL, such as `/models`. */
  path: string;
  /** What the answer is: the value of `object` in its body. */
  object: string;
  /** A create: JSON, and the key that all tries share. */
  create?: { body: string; idempotencyKey: string };
  /** The generation that the call is about. */
  generationId?: string;
  /** Key of the create that made it, for errors. */
  createdBy?: string | undefined;
  signal?: AbortSignal | undefined;
  /** When the call must have an answer, on the platform's clock: limits (429) are waited out until then. */
  deadline?: number | undefined;
  /** Whether all trouble is waited out until the deadline, beyond the retry budget. */
  isPatient?: boolean;
}

/** A success. */
export interface Answer<T> {
  body: T;
  headers: Headers;
}

/** What one try came to: a success, or an error and how long the service asks to wait, in ms. */
type Outcome<T> =
  Answer<T> | { error: FramegateError; status: number; askedMs?: number | undefined };

/**
 * Sends a call, and sends the very same request again while it has no answer or a passing refusal.
 * @throws FramegateError of the last try, when it is definite or the time for retries is used up.
 */
export async function send<T>(settings: Settings, call: Call): Promise<Answer<T>> {
  const { platform, retryBudgetMs, onRetry } = settings;
  const { create, createdBy, signal } = call;
  const idempotencyKey = create?.idempotencyKey ?? createdBy;
  const budgetUntil = platform.now() + retryBudgetMs;
  const { deadline = budgetUntil, isPatient = false } = call;
  let mayHaveCreated = false;
  let { generationId } = call;
  for (let tries = 1; ; tries += 1) {
    const about: About = { generationId, idempotencyKey, mayHaveCreated };
    throwIfAborted(signal, about);
    const outcome = await attempt<T>(settings, call, about);
    if ('body' in outcome) return outcome;
    const { error, status, askedMs } = outcome;
    const ms = waitMs(platform, tries, askedMs);
    const until = isPatient || status === 429 ? deadline : Math.min(deadline, budgetUntil);
    if (!error.retryable || platform.now() + ms > until) throw error;
    ({ mayHaveCreated, generationId } = error);
    onRetry(error, ms);
    await platform.sleep(ms, signal);
  }
}

interface ReadOptions {
  signal?: AbortSignal | undefined;
  /** Until when all trouble is waited out, instead of the retry budget. */
  deadline?: number;
  /** Key of the create, for errors. */
  createdBy?: string | undefined;
}

/** Reads a generation. @throws FramegateError that has its id */
export async function readGeneration(
  settings: Settings,
  id: string,
  { signal, deadline, createdBy }: ReadOptions,
): Promise<Generation> {
  const path = `/generations/${encodeURIComponent(id)}`;
  const isPatient = deadline !== undefined;
  const about = { object: 'generation', generationId: id, createdBy };
  const call = { path, ...about, signal, deadline, isPatient };
  return (await send<Generation>(settings, call)).body;
}

/** @throws AbortError when the caller has had enough. */
export function throwIfAborted(signal: AbortSignal | undefined, about: About): void {
  if (signal?.aborted) throw new AbortError({ ...about, cause: signal.reason as unknown });
}

async function attempt<T>(settings: Settings, call: Call, about: About): Promise<Outcome<T>> {
  const { platform, baseUrl, apiKey, requestTimeoutMs } = settings;
  const { create, signal } = call;
  const isCreate = create !== undefined;
  const timeout = AbortSignal.timeout(requestTimeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await platform.fetch(baseUrl + call.path, {
      method: isCreate ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${apiKey}`,
        accept: 'application/json',
        'user-agent': userAgent(),
        ...(isCreate && {
          'content-type': 'application/json',
          'idempotency-key': create.idempotencyKey,
        }),
      },
      ...(isCreate && { body: create.body }),
      // The key goes to the base URL and nowhere else.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    text = await response.text();
  } catch (cause) {
    const unknown = { ...about, mayHaveCreated: isCreate };
    throwIfAborted(signal, unknown);
    const why = timeout.aborted ? `nothing within ${requestTimeoutMs / 1000} s` : reasonOf(cause);
    const message = `No answer from ${baseUrl} (${why}). Check the base URL and your network.`;
    const error = new ConnectionError('no_answer', message, { ...unknown, cause });
    return { error, status: 0 };
  }
  const { status, headers, ok } = response;
  const body = parsed(text);
  if (ok && isAnswer(body, call)) return { body: body as T, headers };
  const askedMs = retryAfterMs(headers);
  const refusal = ok ? null : refusalOf(body);
  if (refusal) {
    const mayHaveCreated = isCreate && mayHaveBeenAccepted(about, status, refusal.code);
    return { error: apiError(status, refusal, { ...about, mayHaveCreated }), status, askedMs };
  }
  const generationId = about.generationId ?? (ok && isCreate ? idWithin(text) : undefined);
  const told = { ...about, generationId, mayHaveCreated: isCreate };
  return { error: unexpected(settings, response, call, told), status, askedMs };
}

/** Whether a success is what was asked for. */
function isAnswer(body: unknown, { object, generationId }: Call): boolean {
  if (object === 'generation') return isGeneration(body, generationId);
  const { object: own, data } = membersOf(body);
  return own === object && (object !== 'list' || Array.isArray(data));
}

/** Refusals that come before the key of a create is looked up: they say nothing about an earlier try. */
const beforeTheKey = new Set([401, 403, 429]);

function mayHaveBeenAccepted(before: About, status: number, code: string): boolean {
  if (status >= 500 && code !== 'model_unavailable') return true;
  return before.mayHaveCreated === true && beforeTheKey.has(status);
}

function unexpected({ baseUrl }: Settings, response: Response, { object }: Call, about: About) {
  const { status, headers, ok } = response;
  const to = headers.get('location');
  const what =
    status >= 300 && status < 400 && to !== null
      ? `redirects to ${to}`
      : `answered ${status} with something that is not the API's JSON`;
  const message = `${baseUrl} ${what}. Check the base URL, and proxies in between.`;
  // A page in place of a generation says nothing about it: what is paid is asked for again.
  return new UnexpectedAnswerError(status, message, about, ok && object === 'generation');
}

/** The innermost cause in a few words, such as `connect ECONNREFUSED 127.0.0.1:80`. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: unknown; message?: string };
  return typeof cause === 'object' && cause !== null ? reasonOf(cause) : (message ?? String(error));
}
