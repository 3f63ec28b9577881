import { createItemBackoff } from '../itemBackoff.ts';
import type { Clock, Random } from '../ports/system.ts';

/** Generations whose inputs one process takes over at once: half of those that it starts at once. */
const atOnce = 25;
/** Of one account: its inputs may be slow, and those of others must not wait for them. */
const perAccount = 4;
/** The average pause before a generation without a turn asks again, in ms. */
const againMs = 1_000;
/**
 * An account whose inputs cost too much rests: two of them may be an accident. While they go on it has
 * no more than one in ten minutes.
 */
const slowPace = { freeFailures: 2, firstMs: 30_000, mostMs: 600_000, forgottenMs: 3_600_000 };

/** Who may have its inputs taken over now, in this process. */
export interface InputTurns {
  /** Takes a turn, to be given back with `leave`; or says when to come again, in ms since the epoch. */
  enter(accountId: string): { ok: true; leave(): void } | { ok: false; againAt: number };
  /** An input of the account cost more than a valid file does. */
  noteSlow(accountId: string): void;
}

/** Makes the turns of one process. */
export function createInputTurns(
  clock: Pick<Clock, 'now'>,
  random: Pick<Random, 'fraction'>,
): InputTurns {
  const slow = createItemBackoff(clock, slowPace);
  const taken = new Map<string, number>();
  let all = 0;
  return {
    enter(accountId) {
      const own = taken.get(accountId) ?? 0;
      const restsUntil = slow.restsUntil(accountId);
      if (restsUntil > 0 || own >= perAccount || all >= atOnce) {
        const from = Math.max(restsUntil, clock.now());
        return { ok: false, againAt: from + againMs * (1 + random.fraction()) };
      }
      taken.set(accountId, own + 1);
      all += 1;
      return {
        ok: true,
        leave() {
          const left = (taken.get(accountId) ?? 0) - 1;
          if (left > 0) taken.set(accountId, left);
          else taken.delete(accountId);
          all -= 1;
        },
      };
    },
    noteSlow: (accountId) => slow.failed(accountId),
  };
}
