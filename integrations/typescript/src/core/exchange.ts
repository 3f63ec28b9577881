import type { ErrorContext } from '../baseError.ts';
import { ConnectionError } from './errors.ts';
import type { Platform } from './platform.ts';
import { throwIfAborted } from './repeat.ts';

/** One request. */
interface Request {
  method: string;
  /** Below the base URL. */
  path: string;
  headers: Headers;
  body?: string | undefined;
  signal?: AbortSignal | undefined;
  timeoutMs: number;
}

/**
 * Sends one request and reads its whole response.
 * @param about Facts for the error if there is no response.
 * @returns The response, or the error with the reason why there is none.
 * @throws AbortError if the caller has aborted.
 */
export async function exchange(
  { platform, baseUrl }: { platform: Platform; baseUrl: string },
  { method, path, headers, body, signal, timeoutMs }: Request,
  about: ErrorContext,
): Promise<{ response: Response; text: string; ms: number } | { error: ConnectionError }> {
  const startedAt = platform.now();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await platform.fetch(baseUrl + path, {
      method,
      headers,
      ...(body !== undefined && { body }),
      // The key goes only to the base URL.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const text = await response.text();
    return { response, text, ms: Math.round(platform.now() - startedAt) };
  } catch (cause) {
    throwIfAborted(signal, about);
    const why = timeout.aborted ? `nothing within ${timeoutMs / 1000} s` : reasonOf(cause);
    const message = `No response from ${baseUrl} (${why}). Check the base URL and your network.`;
    return { error: new ConnectionError('no_response', message, { ...about, cause }) };
  }
}

/** Why there is no response: the innermost cause as a short phrase, such as `connect ECONNREFUSED 127.0.0.1:80`. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: unknown; message?: string };
  return typeof cause === 'object' && cause !== null ? reasonOf(cause) : (message ?? String(error));
}

/** A description of a response that is not from the API. @param expected Such as `the API's JSON`. */
export function strangeResponse(
  baseUrl: string,
  { status, headers }: Response,
  expected: string,
): string {
  const to = headers.get('location');
  const what =
    status >= 300 && status < 400 && to !== null
      ? `redirects to ${to}`
      : `returned ${status} with something other than ${expected}`;
  return `${baseUrl} ${what}. Check the base URL, and proxies in between.`;
}

/** Whether a request may have taken effect despite a response with this status. */
export const mayHaveArrived = (status: number): boolean => status === 408 || status >= 500;
