import { hourMs, minuteMs } from '@framegate/contract';
import { createItemBackoff } from '../../itemBackoff.ts';
import type { Clock, Random } from '../../ports/system.ts';
import type { WorkSlots } from '../../workKinds.ts';

/** Average pause before a generation without a turn tries again, in ms. */
const againMs = 1_000;
/**
 * Pause for an account whose inputs cost too much. Two may be an accident; after more, it gets at most one turn in
 * ten minutes.
 */
const slowPace = { freeFailures: 2, firstMs: 30_000, maxMs: 10 * minuteMs, forgottenMs: hourMs };

/** This process's turns for copying inputs. */
export interface InputTurns {
  /** Takes a turn, released by `leave`, or returns when to try again, in ms since the epoch. */
  enter(accountId: string): { ok: true; leave(): void } | { ok: false; againAt: number };
  /** Records that an input of the account cost more than a valid file would. */
  recordSlow(accountId: string): void;
}

/** Creates the turns of one process. */
export function createInputTurns({
  clock,
  random,
  slots,
}: {
  clock: Pick<Clock, 'now'>;
  random: Pick<Random, 'fraction'>;
  slots: Pick<WorkSlots, 'tryEnter'>;
}): InputTurns {
  const slow = createItemBackoff(clock, slowPace);
  return {
    enter(accountId) {
      const pausedUntil = slow.pausedUntil(accountId);
      const caller = [{ group: accountId, times: 1 }] as const;
      const slot = pausedUntil > 0 ? null : slots.tryEnter('inputs', caller);
      if (slot) return { ok: true, leave: () => slot.leave() };
      const from = Math.max(pausedUntil, clock.now());
      return { ok: false, againAt: from + againMs * (1 + random.fraction()) };
    },
    recordSlow: (accountId) => slow.recordFailure(accountId),
  };
}
