import { createItemBackoff } from '../itemBackoff.ts';
import type { Clock, Random } from '../ports/system.ts';

/** Generations whose inputs one process copies in parallel: half of those that it starts in parallel. */
const atOnce = 25;
/** The same per account: one account's slow inputs must not delay those of others. */
const perAccount = 4;
/** Average pause before a generation without a turn tries again, in ms. */
const againMs = 1_000;
/**
 * Pause for an account whose inputs cost too much. Two may be an accident; after more, it gets at most one turn in ten
 * minutes.
 */
const slowPace = { freeFailures: 2, firstMs: 30_000, mostMs: 600_000, forgottenMs: 3_600_000 };

/** This process's turns for copying inputs. */
export interface InputTurns {
  /** Takes a turn, released by `leave`, or returns when to try again, in ms since the epoch. */
  enter(accountId: string): { ok: true; leave(): void } | { ok: false; againAt: number };
  /** Records that an input of the account cost more than a valid file would. */
  noteSlow(accountId: string): void;
}

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
