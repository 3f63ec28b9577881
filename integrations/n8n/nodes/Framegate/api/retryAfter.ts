import type { ApiResponse } from './request';

/** Statuses below 500 after which the same request may succeed; 0 means no response. */
const transientStatuses = new Set([0, 408, 425, 429]);

/** Whether the status is a success. The API uses 200 and 202; the body decides. */
export function isSuccess({ status }: ApiResponse): boolean {
  return status >= 200 && status < 300;
}

/**
 * Whether an unusable response is temporary: a limit, a restart, a lost connection, or a success with another body.
 */
export function isTransient(response: ApiResponse): boolean {
  return transientStatuses.has(response.status) || response.status >= 500 || isSuccess(response);
}

/** The wait requested by the server in seconds (RFC 9110, Retry-After in seconds), if any. */
export function retryAfterSeconds({ headers }: Pick<ApiResponse, 'headers'>): number | undefined {
  const text = headers['retry-after']?.trim();
  return text ? secondsOf(Number(text)) : undefined;
}

/** Seconds to wait after a temporary response: as requested by the server, else longer with each attempt. */
export function waitSeconds(response: ApiResponse, attemptsBefore: number): number {
  return retryAfterSeconds(response) ?? backoffSeconds(attemptsBefore);
}

/** The value if it is a valid wait, in seconds. */
export function secondsOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Longest wait without a server hint, in seconds. */
const maxBackoffSeconds = 30;

/**
 * Seconds to wait without a server hint: about 1, 2, 4 and so on. Spread by a quarter, so that workflows that lost the
 * service together do not return together.
 */
export function backoffSeconds(attemptsBefore: number): number {
  return Math.min(maxBackoffSeconds, 2 ** attemptsBefore) * (0.75 + Math.random() / 2);
}
