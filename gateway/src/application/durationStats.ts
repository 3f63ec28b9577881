import type { Model } from '@framegate/contract';
import { usualFromTypical, type UsualDuration } from '../domain/pollHint.ts';
import type { Clock } from './ports/clock.ts';
import type { Database } from './ports/database.ts';
import type { DurationStats } from './ports/durationStats.ts';
import type { Log } from './ports/log.ts';

const refreshMs = 15_000;
const sinceMs = 24 * 3600 * 1000;
const sampleAtMost = 500;
/** Fewer than this tell nothing. */
const sampleAtLeast = 3;

/** What models have taken lately, kept in memory and refreshed beside the requests. */
export interface RefreshedDurations extends DurationStats {
  refresh(): Promise<void>;
  stop(): void;
}

/** Starts from the catalogue's typical durations and follows what the generations took. */
export function createDurationStats(deps: {
  database: Database;
  clock: Clock;
  log: Log;
  models: readonly Model[];
}): RefreshedDurations {
  const seen = new Map<string, UsualDuration>();
  const typical = new Map(deps.models.map(({ id, typicalSeconds }) => [id, typicalSeconds]));

  async function refresh(): Promise<void> {
    const since = deps.clock.now() - sinceMs;
    const recent = await deps.database.generations.recentDurations(since, sampleAtMost);
    for (const [model, seconds] of recent) {
      if (seconds.length >= sampleAtLeast) seen.set(model, usualOf(seconds));
    }
  }

  const timer = setInterval(() => {
    refresh().catch((error: unknown) => {
      deps.log.warn({ error }, 'durations could not be read');
    });
  }, refreshMs);
  timer.unref();
  return {
    refresh,
    usual: (modelId) => seen.get(modelId) ?? usualFromTypical(typical.get(modelId) ?? 60),
    stop: () => {
      clearInterval(timer);
    },
  };
}

/** Quantiles of what was seen. */
export function usualOf(seconds: readonly number[]): UsualDuration {
  const sorted = seconds.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
  return { early: at(0.1), median: at(0.5), late: at(0.9) };
}
