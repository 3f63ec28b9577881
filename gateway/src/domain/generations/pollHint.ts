import { quantile } from '@framegate/contract';
// The distribution is called hundreds of thousands of times.
const { exp } = Math;

/** The share of generations, 0 to 1, that are done within this many seconds of reaching a provider. */
export type ShareDone = (seconds: number) => number;

/** A model's usual durations in seconds; `recent` is empty for an unknown model. */
export interface UsualDuration {
  /** From the catalogue. */
  typical: number;
  /** Durations of the latest completed generations, unsorted. */
  recent: readonly number[];
}

/** The parameters that determine the amount of work: a video's seconds, or the number of images. */
export interface SizeParameters {
  resolution: string;
  duration_seconds?: number | null;
  n?: number | null;
}

/** A key such as `720p 5`, equal for a model's generations with the same amount of work. */
export const workSizeOf = ({ resolution, duration_seconds: seconds, n }: SizeParameters): string =>
  `${resolution} ${seconds ?? n ?? 1}`;

/** Below this number of samples, the catalogue is the better estimate. */
export const minRecent = 8;

/**
 * Assumed spread of an unknown model's durations around the catalogue's, as the scale of a logistic on
 * their logarithm.
 */
const unknownScale = 0.17;
/** Prior for small samples: this many durations with this standard deviation of the logarithm. */
const assumed = { count: 3, deviation: 0.5 };
/** Width of the narrowest half of a normal distribution, in standard deviations. */
const normalHalf = 1.349;

/** Whether there are enough samples to use. */
export const isKnown = ({ recent }: UsualDuration): boolean => recent.length >= minRecent;

/** The median, in seconds. */
export const medianOf = (usual: UsualDuration): number =>
  isKnown(usual) ? quantile(usual.recent, 0.5) : usual.typical;

/** For an unknown model: multiple of the catalogue's time that is still normal. */
const unknownSpread = 1.5;

/** The time within which nine of ten generations finish, in seconds. */
export const p90Seconds = (usual: UsualDuration): number =>
  isKnown(usual) ? quantile(usual.recent, 0.9) : usual.typical * unknownSpread;

/**
 * Estimates the distribution behind a sample: a kernel density of the logarithms. Its logistic kernel allows for values
 * outside the sample, and widens for small or scattered samples.
 */
export function distributionOf(usual: UsualDuration): ShareDone {
  const sample = isKnown(usual) ? usual.recent : [usual.typical];
  const scale = isKnown(usual) ? scaleOf(usual.recent) : unknownScale;
  const logs = sample.map((seconds) => Math.log(Math.max(0.1, seconds)));
  return (seconds) => {
    const at = Math.log(seconds);
    let sum = 0;
    for (const log of logs) sum += 1 / (1 + exp((log - at) / scale));
    return sum / logs.length;
  };
}

/**
 * Silverman's rule for the bandwidth, as a logistic's scale. The deviation comes from the narrowest half of the sample,
 * which keeps two clusters of durations apart.
 */
function scaleOf(sample: readonly number[]): number {
  const logs = sample.map((seconds) => Math.log(Math.max(0.1, seconds))).toSorted((a, b) => a - b);
  const half = Math.floor(logs.length / 2);
  const widths = logs.slice(half).map((log, index) => log - (logs[index] ?? log));
  const deviation = Math.min(...widths) / normalHalf;
  const { count } = assumed;
  const squares = count * assumed.deviation ** 2 + logs.length * deviation ** 2;
  const bandwidth = 0.9 * Math.sqrt(squares / (count + logs.length)) * logs.length ** -0.2;
  return bandwidth * (Math.sqrt(3) / Math.PI);
}

/**
 * Probable progress in whole percent, from the age and the model's median duration in seconds: 90 at the median, then
 * ever more slowly towards 99; never 100 before the end.
 */
export function probablePercent(ageSeconds: number, usualSeconds: number): number {
  const usual = Math.max(1, usualSeconds);
  const age = Math.max(0, ageSeconds);
  if (age <= usual) return Math.floor((90 * age) / usual);
  return Math.floor(90 + 9 * (1 - Math.exp(-(age - usual) / usual)));
}

/** Longest first wait, in seconds. */
export const maxFirstSeconds = { video: 60, image: 15 } as const;

/** Targets for how late results may be seen, somewhat below the goal because the future differs from the past. */
const targetLateness = {
  known: { average: 0.055, max: 0.25 },
  unknown: { average: 0.105, max: 0.3 },
} satisfies Record<string, Lateness>;
/** Largest random share subtracted from a wait, so that clients do not poll in step. */
const maxJitterShare = 0.1;

/** The poll plan for a model's usual durations; it favours waiting people over saved polls, which are cheap. */
export function pollPlanOf(type: 'video' | 'image', usual: UsualDuration): PollPlan {
  return planPolls(
    distributionOf(usual),
    maxFirstSeconds[type],
    targetLateness[isKnown(usual) ? 'known' : 'unknown'],
  );
}

/** The age of a generation and its time at a provider, in seconds. */
export interface GenerationAge {
  /** Since creation. */
  ageSeconds: number;
  /** Since it reached a provider; 0 before. */
  runningSeconds: number;
}

/**
 * The wait before a client's next poll, in whole seconds from 1. Until the provider has the generation, each poll
 * restarts the plan; the longer the total wait, the less another second matters.
 * @param fraction Random, 0 to 1.
 */
export function pollHintSeconds(
  type: 'video' | 'image',
  plan: PollPlan,
  { ageSeconds: age, runningSeconds: running }: GenerationAge,
  fraction: number,
): number {
  const maxWait = age < 1 ? maxFirstSeconds[type] : maxLaterSeconds;
  const planned = plan[Math.floor(running)] ?? maxLaterSeconds;
  const wait = Math.max(planned, age * minShare);
  return Math.max(1, Math.min(maxWait, Math.round(wait * (1 - maxJitterShare * fraction))));
}

const { max, min } = Math;

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

/** By whole seconds: the share done, and the sum of 1 / duration over it. */
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
      const late = max(0, then * (at(inverse, then) - at(inverse, age)) - ended);
      const next = min(lastPlannedSeconds, then);
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

const between = (low: number, value: number, high: number): number => max(low, min(value, high));
