import type { Agenda } from 'agenda';

const pollLanes = 2;
const pollEveryMs = 500;
const reconcileEveryMs = 15_000;

/** The recurring jobs: how many polls may run at once, and what makes them where they are missing. */
export interface RecurringJobs {
  pollLanes: number;
  create(): Promise<void>;
}

/**
 * Recurring jobs made by `unique` with `insertOnly`: `every` would unlock one that is running and
 * enable again what support has disabled.
 */
export function createRecurringJobs(agenda: Agenda): RecurringJobs {
  const ensure = (name: string, data: { lane: number }, everyMs: number) =>
    agenda
      .create(name, data)
      .repeatEvery(everyMs as never)
      .unique({ name, 'data.lane': data.lane }, { insertOnly: true })
      .save();
  return {
    pollLanes,
    async create() {
      for (let lane = 0; lane < pollLanes; lane += 1) {
        await ensure('generation.poll', { lane }, pollEveryMs);
      }
      await ensure('generation.reconcile', { lane: 0 }, reconcileEveryMs);
    },
  };
}
