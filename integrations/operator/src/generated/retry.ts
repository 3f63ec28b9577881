/* Copied from integrations/typescript/src/retry.ts by "npm run generate": do not edit. */

/** Shortest and longest wait between two tries where the service names none, in ms. */
const shortestMs = 1_000;
const longestMs = 30_000;

/** Part of a wait that chance adds, so that clients which lost the service together come back apart. */
const jitter = 0.25;

/**
 * Milliseconds until the next try: as the service asks, else about 1, 2, 4 … 30 seconds.
 * @param tries How often it was tried before, from 1.
 */
export function waitMs(
  { random }: { random: () => number },
  tries: number,
  asked: number | undefined,
): number {
  const least = asked ?? Math.min(longestMs, shortestMs * 2 ** (tries - 1));
  return Math.max(shortestMs, least) * (1 + jitter * random());
}

/**
 * Pause that `Retry-After` asks for, in ms. A date is taken against the answer's own `Date`, so that the
 * clock of this machine does not matter.
 */
export function retryAfterMs(headers: Headers): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const ms = Date.parse(text) - Date.parse(headers.get('date') ?? '');
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** Room that is left to the service's rate, so that unevenness of the line refuses nothing. */
const margin = 1.05;

/**
 * Time between two requests by the rate of `RateLimit-Policy`, in ms; undefined where none is told.
 */
export function paceMs(headers: Headers): number | undefined {
  const policy = headers.get('ratelimit-policy') ?? '';
  const [quota, windowSeconds] = [/;\s*q=(\d+)/, /;\s*w=(\d+)/].map((form) =>
    Number(form.exec(policy)?.[1]),
  );
  const ms = (1000 * margin * Number(windowSeconds)) / Number(quota);
  return Number.isFinite(ms) ? ms : undefined;
}
