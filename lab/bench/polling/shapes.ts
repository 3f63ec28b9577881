/** Numbers in [0, 1), the same for the same seed. */
export type Chance = () => number;

/** A distribution of a model's durations. */
export interface Shape {
  name: string;
  type: 'video' | 'image';
  /** The catalogue's figure, in seconds. */
  typical: number;
  /** Whether the median drifts over time. */
  drifts: boolean;
  /** How many times as many polls a plan from a sample may cost as a plan from the distribution itself. */
  sampleCosts: number;
  /** The share of the `turn`-th that is done by then; drifting shapes change with the turn. */
  doneBy(seconds: number, turn: number): number;
  /** The duration of the `turn`-th, in seconds. */
  draw(chance: Chance, turn: number): number;
}

interface LogNormal {
  median: number;
  /** The standard deviation of the logarithm. */
  sigma: number;
}

/** Durations spread log-normally about a median; drifting, the median goes up and down by `drift`. */
export function logNormal(
  { median, sigma }: LogNormal,
  options: {
    type?: 'video' | 'image';
    typical?: number;
    drift?: { factor: number; turns: number };
  } = {},
): Shape {
  const { type = 'video', typical = median, drift } = options;
  const catalogueNote = typical === median ? '' : `, said to be ${typical} s`;
  const medianAt = (turn: number) =>
    drift ? median * drift.factor ** Math.sin((2 * Math.PI * turn) / drift.turns) : median;
  return {
    name: `${type} ${median} s, sigma ${sigma}${drift ? ', drifting' : ''}${catalogueNote}`,
    type,
    typical,
    drifts: drift !== undefined,
    sampleCosts: 1.25,
    doneBy: (seconds, turn) => normal(Math.log(seconds / medianAt(turn)) / sigma),
    draw: (chance, turn) => medianAt(turn) * Math.exp(sigma * deviate(chance)),
  };
}

/** A mixture: `share` of it distributed as the first, the rest as the second. */
export function bimodal(first: LogNormal, second: LogNormal, share: number): Shape {
  const [one, two] = [logNormal(first), logNormal(second)];
  return {
    name: `video ${first.median} s (${share * 100}%) and ${second.median} s`,
    type: 'video',
    typical: (first.median + second.median) / 2,
    drifts: false,
    sampleCosts: 1.8,
    doneBy: (seconds, turn) =>
      share * one.doneBy(seconds, turn) + (1 - share) * two.doneBy(seconds, turn),
    draw: (chance, turn) => (chance() < share ? one : two).draw(chance, turn),
  };
}

/** A standard normal deviate (Box and Muller). */
const deviate = (chance: Chance): number =>
  Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());

/** The normal distribution (Abramowitz and Stegun 26.2.17; off by less than 1e-7). */
function normal(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const coefficients = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153];
  const sum = coefficients.reduce((so, each) => (so + each) * t, 0);
  const tail = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * sum;
  return x > 0 ? 1 - tail : tail;
}

const medians = [3, 12, 40, 60, 120, 300];
const sigmas = [0.1, 0.2, 0.35];

/** All simulated distributions. */
export const shapes: readonly Shape[] = [
  ...medians.flatMap((median) => sigmas.map((sigma) => logNormal({ median, sigma }))),
  ...[2, 5, 15].map((median) => logNormal({ median, sigma: 0.2 }, { type: 'image' })),
  bimodal({ median: 20, sigma: 0.15 }, { median: 60, sigma: 0.15 }, 0.5),
  bimodal({ median: 30, sigma: 0.2 }, { median: 120, sigma: 0.2 }, 0.3),
  logNormal({ median: 60, sigma: 0.2 }, { drift: { factor: 1.5, turns: 2000 } }),
  ...[28, 56].map((typical) => logNormal({ median: 40, sigma: 0.2 }, { typical })),
];
