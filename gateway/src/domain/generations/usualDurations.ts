import { quantile } from '@framegate/contract';

/** The share of generations, 0 to 1, that are done within this many seconds of reaching a provider. */
export type ShareDone = (seconds: number) => number;

/** A model's usual durations in seconds; `recent` is empty for an unknown model. */
export interface UsualDuration {
  /** Typical duration from the catalogue. */
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

/** Multiple of the catalogue's time that is still normal for an unknown model. */
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
  const logs = logsOf(sample);
  return (seconds) => {
    const logSeconds = Math.log(seconds);
    let share = 0;
    for (const log of logs) share += 1 / (1 + Math.exp((log - logSeconds) / scale));
    return share / logs.length;
  };
}

/** Shortest duration that counts, in seconds: that of 0 has no logarithm. */
const minSeconds = 0.1;

const logsOf = (sample: readonly number[]): number[] =>
  sample.map((seconds) => Math.log(Math.max(minSeconds, seconds)));

/**
 * Silverman's rule for the bandwidth, as a logistic's scale. The deviation comes from the narrowest half of the sample,
 * which keeps two clusters of durations apart.
 */
function scaleOf(sample: readonly number[]): number {
  const logs = logsOf(sample).toSorted((a, b) => a - b);
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
