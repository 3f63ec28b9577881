const firstMs = 8;
const mostMs = 60;

/**
 * How long to wait before a failed attempt is repeated, in ms: up to twice as long with each attempt,
 * at most 60 ms, and anywhere below that, so that processes that met do not meet again.
 * @param attempt 1 after the first failure.
 * @param fraction 0 to below 1: where in the span.
 */
export function backOffMs(attempt: number, fraction: number): number {
  return Math.max(1, fraction * Math.min(mostMs, firstMs * 2 ** Math.min(attempt - 1, 10)));
}
