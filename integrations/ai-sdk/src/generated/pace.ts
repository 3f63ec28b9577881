/* Copied from integrations/typescript/src/core/pace.ts by "npm run generate": do not edit. */

/** Longest interval between two requests of a limited kind, in ms. */
const maxIntervalMs = 30_000;
/** How long an unused limit is remembered, in ms. */
const memoryMs = 60_000;

/** When a request may go out. */
export interface Turn {
  /** Time on the platform's clock. */
  at: number;
  /** Number of refusals by the service at that time; a further refusal voids the turn. */
  era: number;
}

/** A 429 response. */
interface LimitResponse<R> {
  /** How long the service rejects requests of this kind, in ms. */
  waitMs: number;
  /** Interval between two requests at the service's own rate, in ms, if stated. */
  paceMs: number | undefined;
  /** Error for calls whose turn comes too late. */
  refusal: R;
}

/** The pace of all requests of one kind from one client, so that they wait together. */
export interface Pace<R> {
  /** The service's response to the last request beyond its limit; null while no limit is known. */
  refusal(): R | null;
  /** Time of the next turn, without taking it. */
  nextAt(nowMs: number): number;
  take(nowMs: number): Turn;
  /** Whether nothing has been refused since the turn was taken. */
  holds(turn: Turn): boolean;
  recordAccepted(turn: Turn): void;
  recordRefused(turn: Turn, nowMs: number, response: LimitResponse<R>): void;
}

/** Requests sent while no limit is known. */
interface UsualPace {
  /** Requests that may be sent at once. */
  burst: number;
  /** Interval between further ones, in ms; 0 for no limit. */
  intervalMs: number;
}

/**
 * Counts like the gateway, with a token bucket: a refusal empties the bucket until the service accepts requests again;
 * then requests are sent one at a time, at the service's own rate if stated, else ever faster.
 */
export function createPace<R>(usual: UsualPace): Pace<R> {
  let { intervalMs } = usual;
  let shortestMs = intervalMs;
  let tokens = usual.burst;
  /** When there were this many tokens. */
  let at = -Infinity;
  let era = 0;
  let refusal: R | null = null;

  function forgetOld(nowMs: number): void {
    if (refusal === null || nowMs - at < memoryMs) return;
    refusal = null;
    intervalMs = shortestMs = usual.intervalMs;
  }

  function refillTokens(nowMs: number) {
    forgetOld(nowMs);
    const then = Math.max(nowMs, at);
    if (intervalMs === 0) return { then, left: usual.burst };
    return { then, left: Math.min(usual.burst, tokens + (then - at) / intervalMs) };
  }

  const turnAt = ({ then, left }: ReturnType<typeof refillTokens>) =>
    then + Math.max(0, 1 - left) * intervalMs;

  return {
    refusal: () => refusal,
    nextAt: (nowMs) => turnAt(refillTokens(nowMs)),
    take(nowMs) {
      const bucket = refillTokens(nowMs);
      at = bucket.then;
      tokens = bucket.left - 1;
      return { at: turnAt(bucket), era };
    },
    holds: (turn) => turn.era === era,
    recordAccepted(turn) {
      if (turn.era === era) intervalMs = Math.max(shortestMs, intervalMs / 2);
    },
    recordRefused(turn, nowMs, { waitMs, paceMs, refusal: newRefusal }) {
      // Of several sent together, the first refusal has already counted.
      if (turn.era !== era) return;
      era += 1;
      const isAgain = refusal !== null;
      const toldMs = paceMs ?? waitMs;
      shortestMs = paceMs ?? usual.intervalMs;
      intervalMs = isAgain ? Math.max(toldMs, Math.min(maxIntervalMs, 2 * intervalMs)) : toldMs;
      refusal = newRefusal;
      tokens = 1;
      at = nowMs + waitMs;
    },
  };
}
