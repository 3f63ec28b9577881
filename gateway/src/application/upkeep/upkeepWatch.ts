import { type Log, minuteMs } from '@framegate/contract';
import { repeatEvery } from '@framegate/limits';
import type { Clock } from '../ports/system.ts';
import type { UpkeepRound, UpkeepState, UpkeepStore } from '../ports/upkeep.ts';
import { type UpkeepTask, upkeepTasks } from './upkeepTasks.ts';

/** Time without a finished round after which a task counts as stalled, in ms. */
const lateMs = 3 * minuteMs;
/** Intervals of the check, and of the repeated alert, in ms. */
const checkEveryMs = 30_000;
const alertEveryMs = 10 * minuteMs;

/** The states of the tasks, from their rounds; a shard without a round counts from `sinceMs`. */
export function upkeepStatesOf(
  rounds: readonly UpkeepRound[],
  sinceMs: number,
  nowMs: number,
): UpkeepState[] {
  return (Object.keys(upkeepTasks) as UpkeepTask[]).map((task) => {
    const finished = Array.from({ length: upkeepTasks[task] }, (_, shard) => {
      const round = rounds.find((each) => each.task === task && each.shard === shard);
      return round?.finishedAt ?? sinceMs;
    });
    const idleMs = Math.max(0, nowMs - Math.min(...finished));
    return { task, idleMs, isLate: idleMs > lateMs };
  });
}

/** The state of the tasks across all processes. */
export interface UpkeepWatch {
  findStates: () => Promise<UpkeepState[]>;
  stop(): void;
}

/** Watches the tasks and logs an alert while one is stalled. */
export function watchUpkeep(
  deps: { upkeep: Pick<UpkeepStore, 'listRounds'>; clock: Pick<Clock, 'now'>; log: Log },
  everyMs = checkEveryMs,
): UpkeepWatch {
  const { upkeep, clock, log } = deps;
  const sinceMs = clock.now();
  const alertedAt = new Map<string, number>();
  const findStates = async () => upkeepStatesOf(await upkeep.listRounds(), sinceMs, clock.now());

  async function check(): Promise<void> {
    for (const { task, idleMs, isLate } of await findStates()) {
      if (!isLate) alertedAt.delete(task);
      if (!isLate || clock.now() - (alertedAt.get(task) ?? -Infinity) < alertEveryMs) continue;
      alertedAt.set(task, clock.now());
      const alert = { alert: 'upkeep_stands_still', task, idleSeconds: Math.round(idleMs / 1000) };
      log.error(alert, 'upkeep task has not finished a round for minutes');
    }
  }

  const stop = repeatEvery(everyMs, check, (error) => {
    log.warn({ error }, 'failed to check the upkeep tasks');
  });
  return { findStates, stop };
}
