import { setTimeout as pause } from 'node:timers/promises';
import type { Submission } from '../../application/ports/route.ts';

/** The longest pause before a call is made again, in ms. */
const longestPauseMs = 30_000;

/**
 * Makes all calls of an order at once. Those that are turned away for want of room are made again as
 * long as others of the order are made: these are paid for, and to order the whole again would pay for
 * them twice.
 * @param pauseMs The first pause, which doubles; a provider that names a time is left alone so long.
 * @param signal The end of the order's time; what is busy then stays so.
 */
export async function makeCalls<T>(
  calls: readonly T[],
  make: (call: T) => Promise<Submission>,
  { pauseMs, signal }: { pauseMs: number; signal: AbortSignal },
): Promise<Submission[]> {
  const say = async (call: T) => ({ call, said: await make(call) });
  let all = await Promise.all(calls.map(say));
  for (let waitMs = pauseMs; all.some(isMade) && all.some(isBusy); waitMs *= 2) {
    const ms = Math.min(Math.max(waitMs, ...all.map(wishMs)), longestPauseMs);
    try {
      await pause(ms, undefined, { signal });
    } catch {
      break;
    }
    all = await Promise.all(all.map(async (each) => (isBusy(each) ? say(each.call) : each)));
  }
  return all.map(({ said }) => said);
}

interface Said {
  said: Submission;
}

const isMade = ({ said }: Said) => said.kind === 'completed';

const isBusy = ({ said }: Said) => said.kind === 'refused' && said.busy;

function wishMs({ said }: Said): number {
  const sign = said.kind === 'refused' ? said.sign : undefined;
  return sign?.kind === 'busy' ? (sign.retryAfterMs ?? 0) : 0;
}
