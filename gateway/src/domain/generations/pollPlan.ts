import type { ShareDone } from './usualDurations.ts';

/** Waits by whole seconds since the start at a provider, in seconds; after its end the longest applies. */
export type PollPlan = Uint8Array;

/** Limits on the time from a result's end to the poll that finds it, as a share of its duration. */
export interface Lateness {
  /** Limit for the average. */
  average: number;
  /** Limit for each result; the first wait may exceed it for unusually early results. */
  max: number;
}

/** Longest wait after the first, in seconds. */
export const maxLaterSeconds = 30;
/** Shortest wait, as a share of the elapsed time. */
export const minShare = 0.06;

/** Age from which the shortest wait equals the longest, in seconds. */
const lastPlannedSeconds = maxLaterSeconds / minShare;
/** Weight of the share of results that a first wait would reveal later than `max`. */
const tooLateWeight = 1000;
/**
 * The last share of generations is polled in long steps: near the end of the distribution each poll gains little.
 */
const lastShare = 0.08;

/**
 * Computes the schedule with the fewest polls that meets the lateness targets. Given a price per poll, the cheapest
 * waits are found backwards from the end; a search finds the highest price that keeps the average lateness.
 * @param firstSeconds The longest first wait, in seconds.
 */
export function planPolls(doneBy: ShareDone, firstSeconds: number, target: Lateness): PollPlan {
  const table = tabulate(doneBy, lastPlannedSeconds + maxLaterSeconds);
  const tooLate = Float64Array.from({ length: firstSeconds + 1 }, (_, wait) =>
    wait === 0 ? 0 : tooLateWeight * doneBy(wait / (1 + target.max)),
  );
  const plan: PollPlan = new Uint8Array(lastPlannedSeconds);
  let [low, high] = [0.001, 0.2];
  for (let round = 0; round < 7; round += 1) {
    const price = Math.sqrt(low * high);
    if (fillPlan(plan, table, price, tooLate, target) <= target.average) low = price;
    else high = price;
  }
  fillPlan(plan, table, low, tooLate, target);
  // A client that polls before the plan's first poll joins the plan there.
  const first = at(plan, 0);
  return plan.map((wait, age) => Math.max(wait, first - age));
}

/** For each whole second, the share done and the sum of 1 / duration over it. */
interface Table {
  shareDone: Float64Array;
  inverse: Float64Array;
}

function tabulate(doneBy: ShareDone, seconds: number): Table {
  const shareDone = new Float64Array(seconds + 1);
  const inverse = new Float64Array(seconds + 1);
  for (let second = 1; second <= seconds; second += 1) {
    shareDone[second] = doneBy(second);
    const ended = at(shareDone, second) - at(shareDone, second - 1);
    inverse[second] = at(inverse, second - 1) + ended / (second - 0.5);
  }
  return { shareDone, inverse };
}

/** Fills the plan with the best waits for a price per poll. @returns The average lateness. */
function fillPlan(
  plan: PollPlan,
  { shareDone, inverse }: Table,
  price: number,
  tooLate: Float64Array,
  { max: maxLateness }: Lateness,
): number {
  const cost = new Float64Array(lastPlannedSeconds + 1);
  const lateness = new Float64Array(lastPlannedSeconds + 1);
  for (let age = lastPlannedSeconds - 1; age >= 0; age -= 1) {
    const maxWait =
      age === 0 ? tooLate.length - 1 : between(1, Math.floor(age * maxLateness), maxLaterSeconds);
    const isLast = at(shareDone, age) > 1 - lastShare;
    const minWait = isLast ? maxWait : between(1, Math.floor(age * minShare), maxWait);
    cost[age] = Infinity;
    for (let wait = minWait; wait <= maxWait; wait += 1) {
      const then = age + wait;
      const ended = at(shareDone, then) - at(shareDone, age);
      const late = Math.max(0, then * (at(inverse, then) - at(inverse, age)) - ended);
      const next = Math.min(lastPlannedSeconds, then);
      const first = age === 0 ? at(tooLate, wait) : 0;
      const total = price * (1 - at(shareDone, age)) + late + first + at(cost, next);
      if (total >= at(cost, age)) continue;
      cost[age] = total;
      lateness[age] = late + at(lateness, next);
      plan[age] = wait;
    }
  }
  return at(lateness, 0);
}

const at = (values: Float64Array | PollPlan, index: number): number => values[index] ?? 0;

const between = (low: number, value: number, high: number): number =>
  Math.max(low, Math.min(value, high));
