import { idWithin, isGeneration, membersOf, parsed, reasonOf, refusalOf } from './answer.ts';
import {
  AbortError,
  apiError,
  ConnectionError,
  UnexpectedAnswerError,
  type About,
  type FramegateError,
} from './errors.ts';
import type { Error as Refusal, Generation } from './generated/api.ts';
import type { Pace as AnyPace, Turn } from './pace.ts';
import { keepResponse } from './response.ts';
import { paceMs, retryAfterMs, waitMs } from './retry.ts';
import type { Settings } from './settings.ts';

/** One API call; all its tries send the same request. */
export interface Call {
  /** Below the base URL, such as `/models`. */
  path: string;
  /** Expected value of `object` in the answer's body. */
  object: string;
  /** A create: JSON, and the key shared by all tries. */
  create?: { body: string; idempotencyKey: string };
  /** The generation concerned. */
  generationId?: string;
  /** Key of the create that made it, for errors. */
  createdBy?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Deadline for an answer, on the platform's clock: limits (429) are waited out until then. */
  deadline?: number | undefined;
  /** Whether all trouble is waited out until the deadline, beyond the retry budget. */
  isPatient?: boolean;
}

type Pace = AnyPace<Refusal['error']>;

/** A success. */
export interface Answer<T> {
  body: T;
  headers: Headers;
}

/** Outcome of one try: a success, or an error with the head of the answer, if there was one. */
type Outcome<T> = Answer<T> | Failure;

interface Failure {
  error: FramegateError;
  status: number;
  headers?: Headers;
  /** In the API's own words. */
  refusal?: Refusal['error'] | null;
}

/**
 * Sends a call, and repeats the identical request while it has no answer or a temporary refusal.
 * @throws FramegateError of the last try, if it is definite or the time for retries is used up.
 */
export async function send<T>(settings: Settings, call: Call): Promise<Answer<T>> {
  const { platform, retryBudgetMs, onRetry, log } = settings;
  const { create, createdBy, signal } = call;
  const idempotencyKey = create?.idempotencyKey ?? createdBy;
  const budgetUntil = platform.now() + retryBudgetMs;
  const { deadline = budgetUntil, isPatient = false } = call;
  const pace = paceOf(settings, call);
  let mayHaveCreated = false;
  let { generationId } = call;
  for (let tries = 1; ; tries += 1) {
    const about: About = { generationId, idempotencyKey, mayHaveCreated };
    const turn = await untilTurn(settings, pace, deadline, signal, about);
    const outcome = await attempt<T>(settings, call, about);
    if ('body' in outcome) {
      pace.accepted(turn);
      return outcome;
    }
    const { error, status, headers, refusal = null } = outcome;
    const asked = headers && retryAfterMs(headers);
    let ms = waitMs(platform, tries, asked);
    const now = platform.now();
    const isLimit = status === 429;
    if (isLimit) {
      const told = { waitMs: ms, paceMs: headers && paceMs(headers) };
      pace.refused(turn, now, { ...told, refusal: refusal ?? unexplained });
      ms = pace.nextAt(now) - now;
    }
    const until = isPatient || isLimit ? deadline : Math.min(deadline, budgetUntil);
    if (!error.retryable || now + ms > until) {
      log.error(error.message);
      throw error;
    }
    ({ mayHaveCreated, generationId } = error);
    log.warn(`${error.message} Trying again in ${Math.ceil(ms / 1000)} s.`);
    onRetry(error, ms);
    if (!isLimit) await platform.sleep(ms, signal);
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

/** The service counts creates, reads of one generation and other reads separately. */
function paceOf({ paces }: Settings, { create, generationId }: Call): Pace {
  if (create) return paces.creates;
  return generationId === undefined ? paces.otherReads : paces.polls;
}

/**
 * Waits until a request may be sent.
 * @throws ApiError if a limit reached by another call lasts beyond the deadline; AbortError
 */
async function untilTurn(
  { platform }: Settings,
  pace: Pace,
  deadline: number,
  signal: AbortSignal | undefined,
  about: About,
): Promise<Turn> {
  for (;;) {
    const now = platform.now();
    const refusal = pace.refusal();
    // A last poll follows immediately after the deadline.
    if (refusal && pace.nextAt(now) > Math.max(now, deadline)) throw apiError(429, refusal, about);
    const turn = pace.take(now);
    if (turn.at > now) await platform.sleep(turn.at - now, signal);
    throwIfAborted(signal, about);
    if (pace.holds(turn)) return turn;
  }
}

interface ReadOptions {
  signal?: AbortSignal | undefined;
  /** How long all trouble is waited out, replacing the retry budget. */
  deadline?: number;
  /** Key of the create, for errors. */
  createdBy?: string | undefined;
}

/** Reads a generation. @throws FramegateError with its id */
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

/** @throws AbortError if the caller has aborted. */
export function throwIfAborted(signal: AbortSignal | undefined, about: About): void {
  if (signal?.aborted) throw new AbortError({ ...about, cause: signal.reason as unknown });
}

async function attempt<T>(settings: Settings, call: Call, about: About): Promise<Outcome<T>> {
  const { platform, baseUrl, requestTimeoutMs } = settings;
  const { create, signal } = call;
  const isCreate = create !== undefined;
  const method = isCreate ? 'POST' : 'GET';
  const beganAt = platform.now();
  const timeout = AbortSignal.timeout(requestTimeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await platform.fetch(baseUrl + call.path, {
      method,
      headers: headersOf(settings, create),
      ...(isCreate && { body: create.body }),
      // The key goes only to the base URL.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    text = await response.text();
  } catch (cause) {
    const unknown = { ...about, mayHaveCreated: isCreate };
    throwIfAborted(signal, unknown);
    const why = timeout.aborted ? `nothing within ${requestTimeoutMs / 1000} s` : reasonOf(cause);
    const message = `No answer from ${baseUrl} (${why}). Check the base URL and your network.`;
    return { error: new ConnectionError('no_answer', message, { ...unknown, cause }), status: 0 };
  }
  const { status, headers, ok } = response;
  const body = parsed(text);
  const requestId = headers.get('x-request-id');
  const ms = Math.round(platform.now() - beganAt);
  settings.log.debug(`${method} ${call.path}: ${status} in ${ms} ms (${requestId ?? 'no id'})`);
  if (ok && isAnswer(body, call)) {
    keepResponse(body as object, { requestId, status, headers, text });
    return { body: body as T, headers };
  }
  const refusal = ok ? null : refusalOf(body);
  if (refusal) {
    const mayHaveCreated = isCreate && mayHaveBeenAccepted(about, status, refusal.code);
    const error = apiError(status, refusal, { ...about, mayHaveCreated });
    return { error, status, headers, refusal };
  }
  const generationId = about.generationId ?? (ok && isCreate ? idWithin(text) : undefined);
  const told = { ...about, generationId, mayHaveCreated: isCreate };
  return { error: unexpected(settings, response, call, told), status, headers };
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

/** Whether a success is the requested answer. */
function isAnswer(body: unknown, { object, generationId }: Call): boolean {
  if (object === 'generation') return isGeneration(body, generationId);
  const { object: own, data } = membersOf(body);
  return own === object && (object !== 'list' || Array.isArray(data));
}

/** Refusals that precede the lookup of a create's key: they say nothing about an earlier try. */
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
  // A page instead of a generation says nothing about it: the paid generation is requested again.
  return new UnexpectedAnswerError(status, message, about, ok && object === 'generation');
}
