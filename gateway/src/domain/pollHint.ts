// A distribution is asked for hundreds of thousands of times.
const { exp } = Math;

/** The share of generations, 0 to 1, that are done by then: seconds since a provider got them. */
export type DoneBy = (seconds: number) => number;

/** What a model usually takes, in seconds; one that nothing is known of has no `recent`. */
export interface UsualDuration {
  /** What its catalogue says. */
  typical: number;
  /** What the last completed ones took, in any order. */
  recent: readonly number[];
}

/** The parameters that decide how much work a generation is: a video's seconds, the number of images. */
export interface SizeParameters {
  resolution: string;
  duration_seconds?: number | null;
  n?: number | null;
}

/** Equal for generations of a model that are as much work, such as `720p 5`. */
export const sizeOf = ({ resolution, duration_seconds: seconds, n }: SizeParameters): string =>
  `${resolution} ${seconds ?? n ?? 1}`;

/** Below this number of samples the catalogue is the better estimate. */
export const minRecent = 8;

/** How far a model's durations lie from the catalogue's, as the scale of a logistic on their logarithm. */
const unknownScale = 0.17;
/** What a small sample is mixed with: as many durations, of this standard deviation of the logarithm. */
const assumed = { count: 3, deviation: 0.5 };
/** The width of the narrowest half of a normal distribution, in standard deviations. */
const normalHalf = 1.349;

/** Whether enough has been seen to go by it. */
export const isKnown = ({ recent }: UsualDuration): boolean => recent.length >= minRecent;

/** Half of the generations are done by then, in seconds. */
export function medianOf(usual: UsualDuration): number {
  if (!isKnown(usual)) return usual.typical;
  const sorted = usual.recent.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? usual.typical;
}

/** Of one that nothing is known of, how much longer than the catalogue's time is nothing unusual. */
const unknownSpread = 1.5;

/** Nine of ten generations are done by then, in seconds. */
export function mostOf(usual: UsualDuration): number {
  if (!isKnown(usual)) return usual.typical * unknownSpread;
  const sorted = usual.recent.toSorted((a, b) => a - b);
  return sorted[Math.ceil((sorted.length - 1) * 0.9)] ?? usual.typical;
}

/**
 * The distribution behind a sample: each duration seen stands for those near it (a kernel density of
 * the logarithms, logistic so that what lies outside the sample stays possible). The fewer there are
 * and the more they differ, the wider each is taken.
 */
export function distributionOf(usual: UsualDuration): DoneBy {
  const seen = isKnown(usual) ? usual.recent : [usual.typical];
  const scale = isKnown(usual) ? scaleOf(usual.recent) : unknownScale;
  const logs = seen.map((seconds) => Math.log(Math.max(0.1, seconds)));
  return (seconds) => {
    const at = Math.log(seconds);
    let sum = 0;
    for (const log of logs) sum += 1 / (1 + exp((log - at) / scale));
    return sum / logs.length;
  };
}

/**
 * Silverman's rule for the bandwidth, as the scale of a logistic of that standard deviation. The
 * deviation is estimated from the narrowest half of the sample, so that two kinds of work stay two.
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
 * How far a generation probably is, in whole percent: 90 at the time that its model usually takes, and
 * from there ever more slowly towards 99. Never 100 before the end.
 * @param ageSeconds Since it was created.
 * @param usualSeconds What its model takes in the middle.
 */
export function probablePercent(ageSeconds: number, usualSeconds: number): number {
  const usual = Math.max(1, usualSeconds);
  const age = Math.max(0, ageSeconds);
  if (age <= usual) return Math.floor((90 * age) / usual);
  return Math.floor(90 + 9 * (1 - Math.exp(-(age - usual) / usual)));
}

/** No first wait is longer, in seconds. */
export const maxFirst = { video: 60, image: 15 } as const;

/** How late results may be seen; somewhat below the goal on average, as the future differs from the past. */
const wanted = {
  known: { average: 0.055, most: 0.25 },
  unknown: { average: 0.105, most: 0.3 },
} satisfies Record<string, Lateness>;
/** The greatest part of a wait that chance takes away, so that clients do not poll in step. */
const jitter = 0.1;

/** The plan for what a model usually takes: people wait, polls are cheap. */
export function pollPlanOf(type: 'video' | 'image', usual: UsualDuration): PollPlan {
  return planPolls(
    distributionOf(usual),
    maxFirst[type],
    wanted[isKnown(usual) ? 'known' : 'unknown'],
  );
}

/** How far a generation is, in seconds. */
export interface Progress {
  /** Since it was created. */
  age: number;
  /** Since a provider got it; 0 before. */
  running: number;
}

/**
 * How long a client should wait before it polls (again), in whole seconds from 1. Before the provider
 * has it, the plan begins with each poll; the longer a client has waited altogether, the less a second
 * more matters to it.
 * @param fraction 0 to 1, by chance.
 */
export function pollHintSeconds(
  type: 'video' | 'image',
  plan: PollPlan,
  { age, running }: Progress,
  fraction: number,
): number {
  const most = age < 1 ? maxFirst[type] : maxLater;
  const planned = plan[Math.floor(running)] ?? maxLater;
  const wait = Math.max(planned, age * minShare);
  return Math.max(1, Math.min(most, Math.round(wait * (1 - jitter * fraction))));
}

const { max, min } = Math;

/**
 * How long to wait before the next poll, in whole seconds, by the whole seconds since a provider got
 * the generation: `waits[0]` is the first wait. Past its end: the longest.
 */
export type PollPlan = Uint8Array;

/** How late a result may be seen: the time from its end to the poll that sees it, as a share of what it took. */
export interface Lateness {
  /** At most, on average. */
  average: number;
  /** At most, ever; for the first wait: but for what is done much sooner than all that was seen. */
  most: number;
}

/** No wait but the first is longer, in seconds. */
export const maxLater = 30;
/** No wait is shorter than this share of the time that has passed. */
export const minShare = 0.06;

/** From here on the shortest wait is the longest, too. */
const planned = maxLater / minShare;
/** The first wait is weighed by this many times the share that it would show later than `most`. */
const tooLateWeighs = 1000;
/** The last few are waited for in long steps: near the end of the distribution each poll gains little. */
const last = 0.08;

/**
 * The schedule of the fewest polls that shows the results as early as wanted: for a price of a poll,
 * the waits of the least cost (lateness and polls together) follow backwards from the end, and the
 * highest price that keeps the average lateness is searched.
 * @param maxFirst Seconds.
 */
export function planPolls(doneBy: DoneBy, maxFirst: number, wanted: Lateness): PollPlan {
  const table = tabulate(doneBy, planned + maxLater);
  const tooLate = Float64Array.from({ length: maxFirst + 1 }, (_, wait) => {
    return wait === 0 ? 0 : tooLateWeighs * doneBy(wait / (1 + wanted.most));
  });
  const plan: PollPlan = new Uint8Array(planned);
  let [low, high] = [0.001, 0.2];
  for (let round = 0; round < 7; round += 1) {
    const price = Math.sqrt(low * high);
    if (fillPlan(plan, table, price, tooLate, wanted) <= wanted.average) low = price;
    else high = price;
  }
  fillPlan(plan, table, low, tooLate, wanted);
  // Who polls before the first poll of the plan would come, joins it there.
  const first = at(plan, 0);
  return plan.map((wait, age) => Math.max(wait, first - age));
}

/** By whole seconds: the share done by then, and the sum of 1 / duration over those. */
interface Table {
  done: Float64Array;
  inverse: Float64Array;
}

function tabulate(doneBy: DoneBy, seconds: number): Table {
  const done = new Float64Array(seconds + 1);
  const inverse = new Float64Array(seconds + 1);
  for (let second = 1; second <= seconds; second += 1) {
    done[second] = doneBy(second);
    const ended = at(done, second) - at(done, second - 1);
    inverse[second] = at(inverse, second - 1) + ended / (second - 0.5);
  }
  return { done, inverse };
}

/** Writes the best waits for a price of a poll. @returns the average lateness. */
function fillPlan(
  plan: PollPlan,
  { done, inverse }: Table,
  price: number,
  tooLate: Float64Array,
  { most }: Lateness,
): number {
  const cost = new Float64Array(planned + 1);
  const lateness = new Float64Array(planned + 1);
  for (let age = planned - 1; age >= 0; age -= 1) {
    const longest = age === 0 ? tooLate.length - 1 : between(1, Math.floor(age * most), maxLater);
    const isLast = at(done, age) > 1 - last;
    const shortest = isLast ? longest : between(1, Math.floor(age * minShare), longest);
    cost[age] = Infinity;
    for (let wait = shortest; wait <= longest; wait += 1) {
      const then = age + wait;
      const ended = at(done, then) - at(done, age);
      const late = max(0, then * (at(inverse, then) - at(inverse, age)) - ended);
      const next = min(planned, then);
      const first = age === 0 ? at(tooLate, wait) : 0;
      const total = price * (1 - at(done, age)) + late + first + at(cost, next);
      if (total >= at(cost, age)) continue;
      cost[age] = total;
      lateness[age] = late + at(lateness, next);
      plan[age] = wait;
    }
  }
  return at(lateness, 0);
}

const at = (values: Float64Array | PollPlan, index: number): number => values[index] ?? 0;

const between = (least: number, value: number, most: number): number =>
  max(least, min(value, most));
