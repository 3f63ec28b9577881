/* Copied from integrations/typescript/src/pace.ts by "npm run generate": do not edit. */

/** Longest time between two requests of a limited kind, in ms. */
const longestMs = 30_000;
/** How long a limit that nothing asks for is remembered, in ms. */
const memoryMs = 60_000;

/** When a request may go out. */
export interface Turn {
  /** On the platform's clock. */
  at: number;
  /** How many times the service had refused by then; a further refusal makes the turn void. */
  era: number;
}

/** An answer 429. */
interface Refused<R> {
  /** How long the service wants nothing of the kind, in ms. */
  waitMs: number;
  /** Time between two requests by the service's own rate, in ms, if it tells one. */
  paceMs: number | undefined;
  /** Error for calls whose turn comes too late. */
  refusal: R;
}

/** The pace at which all requests of one kind go out from one client, so that they wait together. */
export interface Pace<R> {
  /** The service's answer to the last request beyond its limit; null while no limit is known. */
  refusal(): R | null;
  /** When the next turn is, without taking it. */
  nextAt(now: number): number;
  take(now: number): Turn;
  /** Whether nothing was refused since the turn was taken. */
  holds(turn: Turn): boolean;
  accepted(turn: Turn): void;
  refused(turn: Turn, now: number, answer: Refused<R>): void;
}

/** Requests that go out while no limit is known. */
interface UsualPace {
  /** Requests that may go out at once. */
  burst: number;
  /** Time between further ones, in ms; 0 is no limit. */
  intervalMs: number;
}

/**
 * Counts as the gateway does, by a bucket of tokens: a refusal empties the bucket until the service wants
 * to be asked again; then requests go out one at a time, at the service's own rate where that is told,
 * else ever faster.
 */
export function createPace<R>(usual: UsualPace): Pace<R> {
  let { intervalMs } = usual;
  let shortestMs = intervalMs;
  let tokens = usual.burst;
  /** When there were so many tokens. */
  let at = -Infinity;
  let era = 0;
  let refusal: R | null = null;

  function forgetOld(now: number): void {
    if (refusal === null || now - at < memoryMs) return;
    refusal = null;
    intervalMs = shortestMs = usual.intervalMs;
  }

  function refilled(now: number) {
    forgetOld(now);
    const then = Math.max(now, at);
    if (intervalMs === 0) return { then, left: usual.burst };
    return { then, left: Math.min(usual.burst, tokens + (then - at) / intervalMs) };
  }

  const turnAt = ({ then, left }: ReturnType<typeof refilled>) =>
    then + Math.max(0, 1 - left) * intervalMs;

  return {
    refusal: () => refusal,
    nextAt: (now) => turnAt(refilled(now)),
    take(now) {
      const bucket = refilled(now);
      at = bucket.then;
      tokens = bucket.left - 1;
      return { at: turnAt(bucket), era };
    },
    holds: (turn) => turn.era === era,
    accepted(turn) {
      if (turn.era === era) intervalMs = Math.max(shortestMs, intervalMs / 2);
    },
    refused(turn, now, { waitMs, paceMs, refusal: said }) {
      // Of several that went out together, the first one has told.
      if (turn.era !== era) return;
      era += 1;
      const isAgain = refusal !== null;
      const toldMs = paceMs ?? waitMs;
      shortestMs = paceMs ?? usual.intervalMs;
      intervalMs = isAgain ? Math.max(toldMs, Math.min(longestMs, 2 * intervalMs)) : toldMs;
      refusal = said;
      tokens = 1;
      at = now + waitMs;
    },
  };
}
