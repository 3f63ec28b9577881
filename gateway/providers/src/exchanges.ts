import { AsyncLocalStorage } from 'node:async_hooks';
import { type ByteBudget, createByteBudget, type Hold } from '@framegate/limits';
import { redactResponse } from './redact.ts';
import type { ProviderResponse } from './route.ts';

/** One HTTP request to a provider and its outcome. Hosts and bodies are for staff only. */
export interface Exchange {
  method: string;
  /** Whether it is a POST that only polls an order. */
  isPoll?: boolean;
  host: string;
  /** Whether it fetches a finished file. */
  isFile?: boolean;
  /** The URL of such a file, as the package gave it, and the SHA-256 of its bytes once it has been fetched. */
  file?: { url: string; sha256?: string };
  /**
   * Whether the provider may have received the request. False if we refused to send it, and if DNS, connect or
   * TLS failed.
   */
  isSent: boolean;
  /** Whether it was not sent because the issuer of tokens refused the key. */
  keyIsRefused?: boolean;
  /** HTTP status; null without a response. */
  status: number | null;
  /** The response's `Content-Type`. */
  mediaType?: string | null;
  /** The response's text, if kept: of every error, and of every response to a submission or poll. */
  body: string | null;
  /** The JSON of a response with pictures, without its long texts. */
  outline?: string | null;
  /** The provider's Retry-After (RFC 9110), in ms; null without one. */
  retryAfterMs?: number | null;
  /** The network failure, without URLs. */
  failure: string | null;
  /** Set if the job's status is finished although its result was answered with a failure status. */
  isFinished?: boolean;
  /** The response's text if it says that the work has ended without a file. */
  ended?: string;
}

/**
 * The meaning of a response to a poll inside an image call: the package can use it; it is inconclusive, so the
 * poll is repeated; or the work has ended without a file, with a text for rules and staff.
 */
export type PollResponse = 'usable' | 'inconclusive' | { ended: string };

/** Repetition of the polls and downloads inside an image call until a response is usable. */
export interface InnerPolling {
  /** Interprets a JSON response. */
  parse(response: unknown): PollResponse;
  /** Pause after an inconclusive poll, in ms. */
  pauseMs: number;
  /** Aborted at the end of the call. */
  signal: AbortSignal;
}

/**
 * The purpose of a call to a provider's package: `submit` and `poll` are short and answer JSON; `images` is one
 * long paid request that may poll and download inside. Cancelling a job counts as a poll.
 */
export type CallPurpose = 'submit' | 'poll' | 'images';

/** A call to a provider's package with the HTTP requests that it made. */
export interface ProviderCall {
  purpose: CallPurpose;
  /** The provider's own id of the requested model, if it matters. */
  model?: string;
  /**
   * Our reference for the work, the same for each repetition; null unless the provider is known to recognise
   * repetitions by it.
   */
  reference?: string | null;
  /** Polls and downloads made inside an image call. */
  inner?: InnerPolling;
  /** Whether staff entered the operation, which may then name any URL. */
  isTyped?: boolean;
  /** Callback with the number of bytes, whenever part of a response arrives. */
  recordAnswer?: (bytes: number) => void;
  /** Memory reserved for its responses until it ends. */
  hold: Hold;
  exchanges: Exchange[];
}

/** A call's result or error, with the requests behind it. */
export type RecordedCall<T> = { exchanges: readonly Exchange[] } & (
  { ok: true; value: T } | { ok: false; error: unknown }
);

const calls = new AsyncLocalStorage<ProviderCall>();

/** Memory for the responses of all current calls, in bytes: twice the largest response. */
const responses = createByteBudget(512 * 1024 * 1024);

/**
 * Runs a call to a provider's package and records the HTTP requests that it makes through our fetch. Packages
 * may report a failed poll and a failed job alike; the record distinguishes them.
 */
export async function recordCall<T>(
  purpose: CallPurpose,
  work: () => PromiseLike<T>,
  {
    budget = responses,
    ...options
  }: Omit<ProviderCall, 'purpose' | 'hold' | 'exchanges'> & { budget?: ByteBudget } = {},
): Promise<RecordedCall<T>> {
  const hold = budget.open();
  const call: ProviderCall = { ...options, purpose, hold, exchanges: [] };
  try {
    const value = await calls.run(call, async () => work());
    return { ok: true, value, exchanges: call.exchanges };
  } catch (error) {
    return { ok: false, error, exchanges: call.exchanges };
  } finally {
    hold.release();
  }
}

/** The response kept for staff: that of the last request with a body or a failure. */
export function lastResponse(
  exchanges: readonly Exchange[],
  apiKey: string,
): { response?: ProviderResponse } {
  const withContent = exchanges.findLast(({ body, failure }) => body !== null || failure !== null);
  const last = withContent ?? exchanges.at(-1);
  if (!last) return {};
  const clean = (text: string | null) => text && redactResponse(text, apiKey);
  return {
    response: {
      request: `${last.method} ${last.host}`,
      status: last.status,
      mediaType: last.mediaType?.slice(0, 100) ?? null,
      body: clean(last.body),
      failure: clean(last.failure),
    },
  };
}

/** The provider's request to wait before asking again, in its last response. */
export function retryRequestIn(exchanges: readonly Exchange[]): { retryAfterMs?: number } {
  const { retryAfterMs = null } = exchanges.at(-1) ?? {};
  return retryAfterMs === null ? {} : { retryAfterMs };
}

/** Whether a request may order something: any except a GET and known polls. */
export function mayOrder({ method, isPoll = false }: Exchange): boolean {
  return method !== 'GET' && !isPoll;
}

/** Whether a request was answered completely, with a status of success. */
export function isAnswered({ status, failure }: Exchange): boolean {
  return failure === null && status !== null && status >= 200 && status < 300;
}

/** The current call, if any. */
export function currentCall(): ProviderCall | undefined {
  return calls.getStore();
}
