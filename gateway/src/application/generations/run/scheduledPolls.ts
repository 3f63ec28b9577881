import { shareTimers } from '@framegate/limits';
import type { PolledGeneration } from '../../../domain/generations/generation.ts';
import type { Clock } from '../../ports/system.ts';

/** Generations whose next poll one process remembers; bounds the memory used. */
const maxPolls = 30_000;
/** Polls due within this time begin together, in ms: a separate timer takes half as much memory as the poll. */
const tickMs = 20;

/** This process's memory of the next polls of its reserved generations. */
export interface ScheduledPolls {
  /**
   * Remembers a poll.
   * @param dueAt In ms since the epoch.
   * @returns False if the poll has to be written to the database: the reservation will be over by then, there are too
   * many, or the process is stopping.
   */
  add(generation: PolledGeneration, dueAt: number): boolean;
  /** The number of remembered polls. */
  readonly count: number;
  /** Forgets all polls and accepts no more. @returns Their generations. */
  release(): PolledGeneration[];
}

/**
 * Creates one process's memory.
 * @param poll Called when a poll is due.
 */
export function createScheduledPolls(
  clock: Pick<Clock, 'now'>,
  poll: (generation: PolledGeneration) => void,
): ScheduledPolls {
  const polls = new Map<string, PolledGeneration>();
  const timers = shareTimers<PolledGeneration>(tickMs, (duePolls) => {
    for (const generation of duePolls) {
      // Reserved again since then, so it has another poll.
      if (polls.get(generation.id) !== generation) continue;
      polls.delete(generation.id);
      poll(generation);
    }
  });
  let isReleased = false;
  return {
    add(generation, dueAt) {
      if (isReleased || polls.size >= maxPolls || dueAt >= generation.dueAt) return false;
      polls.set(generation.id, generation);
      timers.add(generation, dueAt - clock.now());
      return true;
    },
    get count() {
      return polls.size;
    },
    release() {
      isReleased = true;
      const all = [...polls.values()];
      polls.clear();
      timers.clear();
      return all;
    },
  };
}
