import { setTimeout as pause } from 'node:timers/promises';
import type { Submission } from '../../application/ports/providers.ts';

/** The longest pause before a call is repeated, in ms. */
const maxPauseMs = 30_000;

/**
 * Makes all calls of an order at once. Those that the provider refuses as busy are repeated once others
 * of the order have succeeded: these are paid for, and to order the whole again would pay for them twice.
 * @param pauseMs The first pause, which doubles; a longer Retry-After of the provider is kept to.
 * @param signal The end of the order's time; what is busy then stays so.
 */
export async function makeCalls<T>(
  calls: readonly T[],
  make: (call: T) => Promise<Submission>,
  { pauseMs, signal }: { pauseMs: number; signal: AbortSignal },
): Promise<Submission[]> {
  const attempt = async (call: T) => ({ call, result: await make(call) });
  let all = await Promise.all(calls.map(attempt));
  for (let waitMs = pauseMs; all.some(isMade) && all.some(isBusy); waitMs *= 2) {
    const ms = Math.min(Math.max(waitMs, ...all.map(retryAfterMs)), maxPauseMs);
    try {
      await pause(ms, undefined, { signal });
    } catch {
      break;
    }
    all = await Promise.all(all.map(async (each) => (isBusy(each) ? attempt(each.call) : each)));
  }
  return all.map(({ result }) => result);
}

interface Attempt {
  result: Submission;
}

const isMade = ({ result }: Attempt) => result.kind === 'completed';

const isBusy = ({ result }: Attempt) => result.kind === 'refused' && result.busy;

function retryAfterMs({ result }: Attempt): number {
  const health = result.kind === 'refused' ? result.health : undefined;
  return health?.kind === 'busy' ? (health.retryAfterMs ?? 0) : 0;
}
