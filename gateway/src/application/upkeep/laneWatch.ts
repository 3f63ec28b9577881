import { repeatEvery } from '@framegate/limits';
import type { Clock, Log } from '../ports/system.ts';
import type { LaneRound, LaneState, UpkeepStore } from '../ports/upkeep.ts';
import { lanes, type Lane } from './lanes.ts';

/** Time without a finished round after which a lane counts as stalled, in ms. */
const lateMs = 180_000;
/** Intervals of the check, and of the repeated alert, in ms. */
const checkEveryMs = 30_000;
const alertEveryMs = 600_000;

/** The states of the lanes, from their rounds; a shard without a round counts from `sinceMs`. */
export function laneStatesOf(
  rounds: readonly LaneRound[],
  sinceMs: number,
  nowMs: number,
): LaneState[] {
  return (Object.keys(lanes) as Lane[]).map((lane) => {
    const finished = Array.from({ length: lanes[lane] }, (_, shard) => {
      const round = rounds.find((each) => each.lane === lane && each.shard === shard);
      return round?.finishedAt ?? sinceMs;
    });
    const idleMs = Math.max(0, nowMs - Math.min(...finished));
    return { lane, idleMs, isLate: idleMs > lateMs };
  });
}

/** The state of the lanes over all processes. */
export interface LaneWatch {
  states: () => Promise<LaneState[]>;
  stop(): void;
}

/** Watches the lanes and logs an alert while one is stalled. */
export function watchLanes(
  deps: { upkeep: Pick<UpkeepStore, 'rounds'>; clock: Pick<Clock, 'now'>; log: Log },
  everyMs = checkEveryMs,
): LaneWatch {
  const { upkeep, clock, log } = deps;
  const sinceMs = clock.now();
  const alertedAt = new Map<string, number>();
  const states = async () => laneStatesOf(await upkeep.rounds(), sinceMs, clock.now());

  async function check(): Promise<void> {
    for (const { lane, idleMs, isLate } of await states()) {
      if (!isLate) alertedAt.delete(lane);
      if (!isLate || clock.now() - (alertedAt.get(lane) ?? -Infinity) < alertEveryMs) continue;
      alertedAt.set(lane, clock.now());
      const alert = { alert: 'upkeep_stands_still', lane, idle_seconds: Math.round(idleMs / 1000) };
      log.error(alert, 'an upkeep lane has not finished a round for minutes');
    }
  }

  const stop = repeatEvery(everyMs, check, (error) => {
    log.warn({ error }, 'failed to check the upkeep lanes');
  });
  return { states, stop };
}
