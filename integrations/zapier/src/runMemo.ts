import type { Place } from './generationKeys.ts';
import type { Reading } from './generation.ts';

/** The memo that the attempts of a run keep for each other in z.cache; a run also works without it. */
export interface Memo {
  place: Place;
  /** When the run began, in ms since the epoch. */
  beganAtMs: number;
  /** Missing until the API has answered the create. */
  id?: string;
  /**
   * `working`: an attempt is under way, or ended the run with an error, and its replay continues.
   * `waiting`: Zapier was asked to run the step again. `delivered`: the result was handed over.
   * `failed`: the failure was told.
   */
  state: 'working' | 'waiting' | 'delivered' | 'failed';
  /** When the state began, in ms since the epoch; for `waiting`, when the next attempt is due. */
  atMs: number;
}

/** Where an attempt begins. */
export interface Start {
  /** Where the search begins; null when nothing is known of earlier generations of these inputs. */
  from: Place | null;
  /** The generation of this run, when its id is known. */
  id?: string;
  beganAtMs: number;
  /** Whether no attempt of this run is known that came before. */
  isFirst: boolean;
  /** When this result was handed over before, in ms since the epoch. */
  deliveredAtMs?: number;
}

/**
 * How long a result stands for every run with the same inputs, in ms: after its end, and after it
 * was handed over. A run that waits looks at least every 300 s, so one that comes later has nothing
 * to do with it; a run that was killed before Zapier had its answer comes sooner.
 */
export const sameRunMs = 6 * 60_000;

/** A run that waits and is this late, in ms, was given up: its generation is judged by its end. */
const givenUpMs = 30 * 60_000;

/** Clocks of two machines, and the way of the answer. */
const slackMs = 5_000;

/**
 * Decides from the memo how this attempt continues.
 * @param keepsResult Whether a delivered result stays this run's (with a Request Key).
 * @param after The place behind the memo's.
 */
export function startFrom(
  memo: Memo | null,
  nowMs: number,
  keepsResult: boolean,
  after: (place: Place) => Place | null,
): Start {
  const anew = (from: Place | null): Start => ({ from, beganAtMs: nowMs, isFirst: true });
  if (memo === null) return anew(null);
  const { place, id, beganAtMs, state, atMs } = memo;
  const same = { from: place, beganAtMs, isFirst: false, ...(id !== undefined && { id }) };
  switch (state) {
    case 'working':
      return same;
    case 'waiting':
      return nowMs - atMs > givenUpMs ? anew(place) : same;
    case 'delivered':
      return keepsResult || nowMs - atMs <= sameRunMs
        ? { ...same, deliveredAtMs: atMs }
        : anew(after(place));
    case 'failed':
      return anew(after(place));
  }
}

/** Whether a generation was made after the run began: by this run, or by an equal one beside it. */
export function wasMadeSince(beganAtMs: number, { ageMs }: Reading, nowMs: number): boolean {
  return ageMs <= nowMs - beganAtMs + slackMs;
}

/**
 * Whether a generation that an earlier create made is this run's: still being made, or over for a
 * short while. A good one also when it was made since the run began, or has this Request Key; a
 * failed one was refunded, and stands in no later run's way.
 */
export function isOfThisRun(
  { record, endedAgeMs }: Reading,
  isMadeSince: boolean,
  hasRequestKey: boolean,
): boolean {
  if (endedAgeMs === null || endedAgeMs <= sameRunMs) return true;
  return record.status === 'completed' && (isMadeSince || hasRequestKey);
}
