import type { LookedAt } from '../../domain/generation.ts';
import type { Clock } from '../ports/system.ts';

/** Generations whose next look one process remembers; bounds the memory used. */
const maxKept = 20_000;

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
  const kept = new Map<string, { generation: LookedAt; timer: NodeJS.Timeout }>();
  let isReleased = false;
  return {
    keep(generation, dueAt) {
      const { id } = generation;
      if (isReleased || kept.size >= maxKept || dueAt >= generation.dueAt) return false;
      const timer = setTimeout(
        () => {
          kept.delete(id);
          look(generation);
        },
        Math.max(0, dueAt - clock.now()),
      ).unref();
      clearTimeout(kept.get(id)?.timer);
      kept.set(id, { generation, timer });
      return true;
    },
    get count() {
      return kept.size;
    },
    release() {
      isReleased = true;
      const all = [...kept.values()];
      kept.clear();
      for (const { timer } of all) clearTimeout(timer);
      return all.map(({ generation }) => generation);
    },
  };
}
