import { dayMs, type Log, minuteMs, type Model } from '@framegate/contract';
import { repeatEvery } from '@framegate/limits';
import { pollPlanOf } from '../../domain/generations/pollHint.ts';
import { type PollPlan } from '../../domain/generations/pollPlan.ts';
import {
  isKnown,
  medianOf,
  p90Seconds,
  type UsualDuration,
  workSizeOf,
} from '../../domain/generations/usualDurations.ts';
import type { Database } from '../ports/database.ts';
import type { Clock } from '../ports/system.ts';
import type { DurationStats, UsualWork } from '../ports/upkeep.ts';

const refreshMs = minuteMs;
const sinceMs = dayMs;
/** Ends loaded per model, and the minimum sample size: older ends are less meaningful. */
const maxFound = 200;
const maxSample = 100;

/** Recent durations by model, kept in memory and refreshed in the background. */
export interface RefreshedDurations extends DurationStats {
  refresh(): Promise<void>;
  stop(): void;
}

/**
 * Provides usual durations: the catalogue's until enough ends are known, then those of generations of the same size if
 * there are enough, else those of the whole model.
 */
export function createDurationStats(deps: {
  database: Database;
  clock: Clock;
  log: Log;
  /** The models that are currently measured. */
  models: () => readonly Model[];
}): RefreshedDurations {
  let usualBySize = new Map<string, UsualWork>();
  let unseen = unseenOf(deps.models());

  async function refresh(): Promise<void> {
    const since = deps.clock.now() - sinceMs;
    const fresh = new Map<string, UsualWork>();
    const durations = await deps.database.generations.listRecentDurations(since, maxFound);
    for (const { id, type, typicalSeconds: typical } of deps.models()) {
      const ended = durations.get(id) ?? [];
      const bySize = Map.groupBy(ended, ({ parameters }) => statsKey(id, parameters));
      for (const [key, each] of [[id, ended] as const, ...bySize]) {
        const recent = each.slice(0, maxSample).map(({ seconds }) => seconds);
        const usual = { typical, recent };
        if (isKnown(usual)) fresh.set(key, usualWork(type, usual));
      }
    }
    usualBySize = fresh;
    unseen = unseenOf(deps.models());
  }

  const stop = repeatEvery(refreshMs, refresh, (error) => {
    deps.log.warn({ error }, 'failed to read durations');
  });
  const unknown = usualWork('video', { typical: 60, recent: [] });
  return {
    refresh,
    usual(modelId, parameters) {
      const ofSize = parameters && usualBySize.get(statsKey(modelId, parameters));
      return ofSize ?? usualBySize.get(modelId) ?? unseen.get(modelId) ?? unknown;
    },
    stop,
  };
}

function unseenOf(models: readonly Model[]): Map<string, UsualWork> {
  return new Map(
    models.map(({ id, type, typicalSeconds: typical }) => [
      id,
      usualWork(type, { typical, recent: [] }),
    ]),
  );
}

const statsKey = (modelId: string, parameters: Parameters<typeof workSizeOf>[0]) =>
  `${modelId} ${workSizeOf(parameters)}`;

function usualWork(type: Model['type'], usual: UsualDuration): UsualWork {
  let plan: PollPlan | null = null;
  return {
    median: medianOf(usual),
    p90: p90Seconds(usual),
    plan: () => (plan ??= pollPlanOf(type, usual)),
  };
}
