import { shareTimers } from '@framegate/limits';
import type { LookedAt } from '../../domain/generation.ts';
import type { Clock } from '../ports/system.ts';

/** Generations whose next look one process remembers; bounds the memory used. */
const maxKept = 30_000;
/** Looks that are due within this time begin together, in ms: with a timer of its own one takes half as much again. */
const tickMs = 20;

/** This process's memory of the next looks at its reserved generations. */
export interface KeptLooks {
  /**
   * Remembers a look.
   * @param dueAt In ms since the epoch.
   * @returns False if the look has to be written to the database: the reservation will be over by then, there are too
   * many, or the process is stopping.
   */
  keep(generation: LookedAt, dueAt: number): boolean;
  /** The number of remembered looks. */
  readonly count: number;
  /** Forgets all looks and accepts no more. @returns Their generations. */
  release(): LookedAt[];
}

/**
 * Creates one process's memory.
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
