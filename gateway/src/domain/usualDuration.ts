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
