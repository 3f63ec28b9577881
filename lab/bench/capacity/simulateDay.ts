import { sum } from '@framegate/contract';
import { measuredCosts as costs } from './costs.ts';

/** Numbers of an installation: its processes, and cores of machines. */
export interface Fleet {
  api: number;
  worker: number;
  /** Cores for the children of the workers, which read files. */
  fileCores: number;
  /** Cores of the primary. */
  databaseCores: number;
}

/** A day's load on an installation. */
export interface Day {
  generations: number;
  /** The busiest second of the day has `1 + swing` times the mean rate, the quietest `1 - swing` times; 0 to 1. */
  swing: number;
  /** How long a provider works on one generation, in s. */
  durationS: number;
  /** A span in which the provider accepts and finishes nothing, in s since midnight. */
  outage: { fromS: number; forS: number };
}

/** The performance of an installation on one day. */
export interface DayReport {
  /** Use of each at its busiest before the outage, as a part of 1. */
  use: Record<keyof Fleet, number>;
  maxInFlight: number;
  /** Longest wait for each step, in s, and that before the outage. */
  maxWaitS: Record<Step, { all: number; before: number }>;
  /** Time from the end of the outage until nothing waits, in s. */
  caughtUpS: number;
}

type Step = 'create' | 'start' | 'end' | 'files';

/** Longest pause between two polls of a generation, in s. */
const pollEveryS = 8;
const daySeconds = 86_400;

/** Rate of arrivals at a second of the day, per second. The busiest second is at noon. */
export const arrivalsAt = ({ generations, swing }: Day, second: number): number =>
  (generations / daySeconds) * (1 - swing * Math.cos((2 * Math.PI * second) / daySeconds));

/**
 * Plays one day second by second, with numbers of generations instead of single ones. Each step takes time of its
 * process and of the database, which serve creates first, then polls, ends and starts.
 */
export function simulateDay(day: Day, fleet: Fleet): DayReport {
  const { outage, durationS } = day;
  const isOut = (second: number) => second >= outage.fromS && second < outage.fromS + outage.forS;
  const started = new Float64Array(daySeconds);
  const waiting: Record<Step, number> = { create: 0, start: 0, end: 0, files: 0 };
  const wait = () => ({ all: 0, before: 0 });
  const maxWaitS = { create: wait(), start: wait(), end: wait(), files: wait() };
  const use: DayReport['use'] = { api: 0, worker: 0, fileCores: 0, databaseCores: 0 };
  let [inFlight, maxInFlight, caughtUpS] = [0, 0, 0];

  for (let second = 0; second < daySeconds; second += 1) {
    /** Time that is left in this second, in ms of a core. */
    const left = mapFleet(fleet, (count) => count * 1_000);

    const work = (step: Step, arrived: number, ms: Partial<Fleet>): number => {
      const rates = Object.entries(ms).map(([part, cost]) => left[part as keyof Fleet] / cost);
      const rate = Math.max(0, Math.min(...rates));
      const served = Math.min(waiting[step] + arrived, rate);
      waiting[step] += arrived - served;
      for (const [part, cost] of Object.entries(ms)) left[part as keyof Fleet] -= served * cost;
      const waitS = waiting[step] / Math.max(rate, 1);
      const longest = maxWaitS[step];
      longest.all = Math.max(longest.all, waitS);
      if (second < outage.fromS) longest.before = longest.all;
      return served;
    };

    const created = work('create', arrivalsAt(day, second), costs.create);
    left.worker -= (inFlight / pollEveryS) * costs.poll.worker;
    // After an outage, a provider finishes all delayed work at once.
    const dueFrom = isOut(second - 1) ? outage.fromS - durationS : second - durationS;
    const finished = isOut(second) ? 0 : sumOf(started, dueFrom, second - durationS + 1);
    const ended = work('end', finished, costs.end);
    if (isOut(second)) waiting.start += created;
    else started[second] = work('start', created, costs.start);
    work('files', ended, costs.files);

    inFlight += (started[second] ?? 0) - ended;
    maxInFlight = Math.max(maxInFlight, inFlight);
    const isBehind = Object.values(waiting).some((number) => number > 1);
    if (isBehind && second >= outage.fromS) caughtUpS = second + 1 - outage.fromS - outage.forS;
    if (second >= outage.fromS) continue;
    for (const part of Object.keys(use) as (keyof Fleet)[]) {
      use[part] = Math.max(use[part], 1 - left[part] / (fleet[part] * 1_000));
    }
  }
  return { use, maxInFlight, maxWaitS, caughtUpS };
}

const mapFleet = (fleet: Fleet, change: (count: number) => number): Fleet => ({
  api: change(fleet.api),
  worker: change(fleet.worker),
  fileCores: change(fleet.fileCores),
  databaseCores: change(fleet.databaseCores),
});

const sumOf = (numbers: Float64Array, from: number, to: number): number =>
  sum(numbers.slice(Math.max(0, from), Math.max(0, to)));

/** Use of each process and core that a fleet is planned for at the busiest second; the rest is for catching up. */
const plannedUse = 0.6;

/** The smallest fleet for a day: two of each process for stops and losses, and cores for the planned use. */
export function fleetFor(day: Day): Fleet {
  const peak = arrivalsAt(day, daySeconds / 2);
  const polls = (peak * day.durationS) / pollEveryS;
  const need = (ms: number) => Math.ceil(ms / 1_000 / plannedUse);
  const { create, start, poll, end, files } = costs;
  return {
    api: Math.max(2, need(peak * create.api)),
    worker: Math.max(2, need(peak * (start.worker + end.worker) + polls * poll.worker)),
    fileCores: need(peak * files.fileCores),
    databaseCores: need(peak * (create.databaseCores + start.databaseCores + end.databaseCores)),
  };
}
