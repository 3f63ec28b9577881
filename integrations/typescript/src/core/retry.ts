/** A proxy's timeout, a request not sent yet (RFC 8470), and a limit. */
const transientStatuses = new Set([408, 425, 429]);

/** Whether the same request may succeed after a response with this status. */
export const isRetryable = (status: number): boolean =>
  transientStatuses.has(status) || status >= 500;

/** Shortest and longest wait between two attempts without a hint from the service, in ms. */
const minPauseMs = 1_000;
const maxPauseMs = 30_000;

/** Random share added to a wait, so that clients which lost the service together return at different times. */
const jitter = 0.25;

/**
 * Milliseconds until the next attempt: as the service asks, else about 1, 2, 4 … 30 seconds.
 * @param attempts Number of earlier attempts, from 1.
 */
export function waitMs(
  { random }: { random: () => number },
  attempts: number,
  askedMs: number | undefined,
): number {
  const least = askedMs ?? Math.min(maxPauseMs, minPauseMs * 2 ** (attempts - 1));
  return Math.max(minPauseMs, least) * (1 + jitter * random());
}

/**
 * Pause requested by `Retry-After`, in ms. A date is compared with the response's own `Date`, so that this machine's
 * clock does not matter.
 */
export function retryAfterMs(headers: Headers): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const ms = Date.parse(text) - Date.parse(headers.get('date') ?? '');
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** Margin on the service's rate, so that varying network delays cause no refusals. */
const margin = 1.05;

/** Interval between two requests at the rate of `RateLimit-Policy`, in ms; undefined if not stated. */
export function paceMs(headers: Headers): number | undefined {
  const policy = headers.get('ratelimit-policy') ?? '';
  const [quota, windowSeconds] = [/;\s*q=(\d+)/, /;\s*w=(\d+)/].map((form) =>
    Number(form.exec(policy)?.[1]),
  );
  const ms = (1000 * margin * Number(windowSeconds)) / Number(quota);
  return Number.isFinite(ms) ? ms : undefined;
}
