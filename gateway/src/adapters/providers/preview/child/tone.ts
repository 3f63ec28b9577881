import { between, pick, seededRandom } from './seededRandom.ts';

/** Samples per second and channel. */
export const SAMPLE_RATE = 48_000;

/** Chords as steps in semitones above the root, all without a dissonance. */
const CHORDS: readonly [readonly number[], ...(readonly number[])[]] = [
  [0, 7, 12, 16],
  [0, 7, 12, 14],
  [0, 5, 12, 16],
  [0, 7, 15, 19],
];
/** A pentatonic scale: any two of its notes sound well together. */
const SCALE: readonly [number, ...number[]] = [0, 2, 4, 7, 9];

/** Fade at both ends, seconds. */
const FADE = 0.6;

/**
 * A quiet soft chord with a few bell notes over it, in stereo, from the prompt's seed: two planes of
 * samples from -1 to 1, never louder than about -14 dB.
 */
export function makeTone(
  prompt: string,
  seed: number,
  samples: number,
): [Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>] {
  const random = seededRandom(prompt, seed, 'tone');
  const root = 110 * 2 ** (Math.floor(between(random, 0, 8)) / 12);
  const voices = pick(random, CHORDS).map((step) => ({
    turn: (2 * Math.PI * root * 2 ** (step / 12)) / SAMPLE_RATE,
    sway: (2 * Math.PI * between(random, 0.08, 0.22)) / SAMPLE_RATE,
    phase: between(random, 0, 2 * Math.PI),
    pan: between(random, 0.3, 0.7),
    loud: 0.03 / (1 + step / 12),
  }));
  const planes: [Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>] = [
    new Float32Array(samples),
    new Float32Array(samples),
  ];
  const [left, right] = planes;
  for (const { turn, sway, phase, pan, loud } of voices) {
    for (let at = 0; at < samples; at += 1) {
      const value = Math.sin(at * turn) * loud * (0.72 + 0.28 * Math.sin(at * sway + phase));
      left[at] = (left[at] ?? 0) + value * (1 - pan);
      right[at] = (right[at] ?? 0) + value * pan;
    }
  }
  addBells(planes, root * 4, random);
  const fade = Math.min(FADE * SAMPLE_RATE, samples / 2);
  for (const plane of planes) {
    for (let at = 0; at < samples; at += 1) {
      const near = Math.min(1, (at + 1) / fade, (samples - at) / fade);
      plane[at] = (plane[at] ?? 0) * (0.5 - 0.5 * Math.cos(Math.PI * near));
    }
  }
  return planes;
}

function addBells(
  [left, right]: readonly [Float32Array, Float32Array],
  root: number,
  random: () => number,
): void {
  const every = Math.round(between(random, 0.9, 1.3) * SAMPLE_RATE);
  const length = Math.round(1.8 * SAMPLE_RATE);
  for (let start = Math.round(0.35 * SAMPLE_RATE); start < left.length; start += every) {
    const turn = (2 * Math.PI * root * 2 ** (pick(random, SCALE) / 12)) / SAMPLE_RATE;
    const pan = between(random, 0.2, 0.8);
    for (let at = 0; at < length && start + at < left.length; at += 1) {
      const strike = Math.min(1, at / 480) * Math.exp(-at / (0.38 * SAMPLE_RATE));
      const value = (Math.sin(at * turn) + 0.2 * Math.sin(at * turn * 2)) * strike * 0.028;
      left[start + at] = (left[start + at] ?? 0) + value * (1 - pan);
      right[start + at] = (right[start + at] ?? 0) + value * pan;
    }
  }
}
