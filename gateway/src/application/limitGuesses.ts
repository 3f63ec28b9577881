import { addressGroup } from '../domain/addressGroup.ts';
import type { Clock } from './ports/clock.ts';
import type { Log } from './ports/log.ts';
import type { AttemptStore } from './site/ports.ts';

/** Different unknown keys that one address may present in a window. */
export const guessesAtMost = 30;
/** The window, in ms: ten minutes. */
export const guessWindowMs = 600_000;
const rememberedAtMost = 10_000;

/** Keeps addresses from trying keys out. */
export interface GuessLimiter {
  /** Whole seconds for which wrong keys of this address are told to wait; null: none. */
  waitSeconds(address: string): number | null;
  /** Notes that a key of this address is of nobody. The same wrong key again is no further guess. */
  note(address: string, keyHash: string): void;
}

/**
 * Counts wrong keys by the caller's address, over all processes and restarts; whether an address has to
 * wait is known from memory, so that good keys cost no query of it. A count that
 * cannot be written is lost: the keys' 190 bits stand behind it.
 */
export function createGuessLimiter(deps: {
  attempts: Pick<AttemptStore, 'count'>;
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'warn'>;
}): GuessLimiter {
  /** Until when an address waits, in ms since the epoch. */
  const waits = new Map<string, number>();
  const noted = new Set<string>();

  async function count(group: string): Promise<void> {
    const counted = await deps.attempts.count(`apiKeyAddress:${group}`, guessWindowMs);
    if (counted.count < guessesAtMost) return;
    if (waits.size >= rememberedAtMost) waits.clear();
    waits.set(group, counted.endsAt);
    if (counted.count === guessesAtMost) deps.log.warn({ from: group }, 'an address tries keys');
  }

  return {
    waitSeconds(address) {
      const group = addressGroup(address);
      const waitMs = (waits.get(group) ?? 0) - deps.clock.now();
      if (waitMs > 0) return Math.ceil(waitMs / 1000);
      waits.delete(group);
      return null;
    },

    note(address, keyHash) {
      const group = addressGroup(address);
      const guess = `${group} ${keyHash}`;
      if (noted.has(guess)) return;
      if (noted.size >= rememberedAtMost) noted.clear();
      noted.add(guess);
      count(group).catch((error: unknown) => {
        noted.delete(guess);
        deps.log.warn({ error }, 'a wrong key could not be counted');
      });
    },
  };
}
