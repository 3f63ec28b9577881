import { minuteMs } from './generated/contract.ts';
import type { GenerationReading } from './generation.ts';
import type { KeyPlace } from './generationKeys.ts';

/** The memo that a run's attempts share in z.cache; a run also works without it. */
export interface Memo {
  place: KeyPlace;
  /** Start of the run, in ms since the epoch. */
  startedAt: number;
  /** Missing until the API has answered the create request. */
  id?: string;
  /**
   * `working`: an attempt is running, or ended the run with an error, and its replay continues. `waiting`: Zapier was
   * asked to run the step again. `delivered`: the result was delivered. `failed`: the failure was reported.
   */
  state: 'working' | 'waiting' | 'delivered' | 'failed';
  /** Start of the state, in ms since the epoch; for `waiting`, when the next attempt is due. */
  atMs: number;
}

/** The start of an attempt. */
export interface AttemptStart {
  /** Start of the search; null if nothing is known of earlier generations with these inputs. */
  from: KeyPlace | null;
  /** The generation of this run, if its id is known. */
  id?: string;
  startedAt: number;
  /** Whether no earlier attempt of this run is known. */
  isFirst: boolean;
  /** When this result was already delivered, in ms since the epoch. */
  deliveredAt?: number;
}

/**
 * How long a result counts for every run with the same inputs, in ms: after its end, and after its delivery. A waiting
 * run checks at least every 300 s, so a later one is unrelated; a run that was killed before Zapier had its response
 * comes sooner.
 */
export const sameRunMs = 6 * minuteMs;

/** Delay after which a waiting run counts as abandoned, in ms: its generation is judged by its end. */
const givenUpMs = 30 * minuteMs;

/** Tolerance for the clocks of two machines and the response's transit, in ms. */
const slackMs = 5_000;

/**
 * Decides from the memo how this attempt continues.
 * @param keepsResult Whether a delivered result stays this run's (with a Request Key).
 * @param after The place after the memo's.
 */
export function startFrom(
  memo: Memo | null,
  nowMs: number,
  keepsResult: boolean,
  after: (place: KeyPlace) => KeyPlace | null,
): AttemptStart {
  const newRun = (from: KeyPlace | null): AttemptStart => ({
    from,
    startedAt: nowMs,
    isFirst: true,
  });
  if (memo === null) return newRun(null);
  const { place, id, startedAt, state, atMs } = memo;
  const same = { from: place, startedAt, isFirst: false, ...(id !== undefined && { id }) };
  switch (state) {
    case 'working':
      return same;
    case 'waiting':
      return nowMs - atMs > givenUpMs ? newRun(place) : same;
    case 'delivered':
      return keepsResult || nowMs - atMs <= sameRunMs
        ? { ...same, deliveredAt: atMs }
        : newRun(after(place));
    case 'failed':
      return newRun(after(place));
  }
}

/** Whether a generation was made after the run began, by this run or by an equal one in parallel. */
export function wasMadeSince(
  startedAt: number,
  { ageMs }: GenerationReading,
  nowMs: number,
): boolean {
  return ageMs <= nowMs - startedAt + slackMs;
}

/**
 * Whether a generation made by an earlier create request belongs to this run: it is still being made, or ended
 * recently. A completed one also if it was made since the run began, or has this Request Key; a failed one was refunded
 * and does not block later runs.
 */
export function isOfThisRun(
  { record, endedAgeMs }: GenerationReading,
  isMadeSince: boolean,
  hasRequestKey: boolean,
): boolean {
  if (endedAgeMs === null || endedAgeMs <= sameRunMs) return true;
  return record.status === 'completed' && (isMadeSince || hasRequestKey);
}
