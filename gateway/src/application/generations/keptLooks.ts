import { shareTimers } from '@framegate/limits';
import type { LookedAt } from '../../domain/generation.ts';
import type { Clock } from '../ports/system.ts';

/** Generations whose next look one process remembers; bounds the memory that they use. */
const maxKept = 30_000;
/** Looks that are due within this time begin together, in ms: with a timer of its own one takes half as much again. */
const tickMs = 20;

/** The next looks at generations that are reserved for this process, in its memory. */
export interface KeptLooks {
  /**
   * Remembers a look.
   * @param dueAt In ms since the epoch.
   * @returns false if it has to be written down: the reservation is over by then, there are too many, or the
   * process stops.
   */
  keep(generation: LookedAt, dueAt: number): boolean;
  /** The number of looks that it remembers. */
  readonly count: number;
  /** Forgets all looks, and keeps none from now on. @returns their generations. */
  release(): LookedAt[];
}

/**
 * Creates the memory of one process.
 * @param look Called when a look is due.
 */
export function createKeptLooks(
  clock: Pick<Clock, 'now'>,
  look: (generation: LookedAt) => void,
): KeptLooks {
  const kept = new Map<string, LookedAt>();
  const timers = shareTimers<LookedAt>(tickMs, (due) => {
    for (const generation of due) {
      // Reserved again since then, it has another look.
      if (kept.get(generation.id) !== generation) continue;
      kept.delete(generation.id);
      look(generation);
    }
  });
  let isReleased = false;
  return {
    keep(generation, dueAt) {
      if (isReleased || kept.size >= maxKept || dueAt >= generation.dueAt) return false;
      kept.set(generation.id, generation);
      timers.add(generation, dueAt - clock.now());
      return true;
    },
    get count() {
      return kept.size;
    },
    release() {
      isReleased = true;
      const all = [...kept.values()];
      kept.clear();
      timers.clear();
      return all;
    },
  };
}
