import { createKeyedQueue } from './keyedQueue.ts';
import type { Clock } from './ports/clock.ts';

/**
 * One process fills at most this part of the room that it has counted before it counts again, so that
 * ten of them that count at one moment do not overfill a provider.
 */
const part = 10;
/** A count is good for so long, in ms. */
const goodForMs = 1_000;

/**
 * Runs `enter`, which writes down that a generation is with the provider, when fewer than `atMost` are,
 * over all processes.
 * @returns What `enter` came to; false, without running it, when the provider is full.
 */
export type ProviderRoom = (
  provider: string,
  atMost: number,
  enter: () => Promise<boolean>,
) => Promise<boolean>;

/**
 * Keeps to the providers' `maxConcurrent`. Counting costs the more the more there are, so a provider
 * with much room is counted seldom and entered by many at once; one that is nearly full is counted
 * each time, one after the other, so that this process never overfills it.
 * @param count Generations that are with each provider now.
 */
export function createProviderRoom(
  count: () => Promise<Map<string, number>>,
  clock: Clock,
): ProviderRoom {
  const queue = createKeyedQueue();
  const counted = new Map<string, { at: number; left: number }>();
  const entering = new Map<string, Set<Promise<unknown>>>();

  function begin(provider: string, enter: () => Promise<boolean>): { entered: Promise<boolean> } {
    const entered = enter();
    const others = entering.get(provider) ?? new Set();
    entering.set(provider, others.add(entered));
    const leave = () => others.delete(entered);
    entered.then(leave, leave);
    return { entered };
  }

  /** Whether it may enter by the last count. */
  function isRoomLeft(provider: string): boolean {
    const last = counted.get(provider);
    if (!last || last.left < 1 || clock.now() - last.at > goodForMs) return false;
    last.left -= 1;
    return true;
  }

  return async (provider, atMost, enter) => {
    if (!Number.isFinite(atMost)) return enter();
    const begun = await queue(provider, async () => {
      if (isRoomLeft(provider)) return begin(provider, enter);
      // Those that are not written yet would be missed.
      await Promise.allSettled([...(entering.get(provider) ?? [])]);
      const used = await count();
      const free = atMost - (used.get(provider) ?? 0);
      if (free <= 0) return null;
      counted.set(provider, { at: clock.now(), left: Math.floor(free / part) - 1 });
      return begin(provider, enter);
    });
    return begun !== null && begun.entered;
  };
}
