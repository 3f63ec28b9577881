import { minuteMs } from '@framegate/contract';

/**
 * A problem that would end paid work if it persisted: a finished job without a readable result, a file that cannot be
 * read, or one that differs grossly from the order. `sign` identifies it across polls.
 */
export interface Doubt {
  /** The SHA-256 of a bad file, or a word. */
  sign: string;
  /** How often in a row, each time after a new poll of the provider. */
  times: number;
  /** When it was first seen, in ms since the epoch. */
  since: number;
  /** Reason for staff. */
  reason: string;
  /** Size of the file. */
  bytes?: number;
}

/** One observation. */
export type Observation = Pick<Doubt, 'sign' | 'reason' | 'bytes'>;

/**
 * The required number of observations, and their minimum span in ms: file hosts lag behind, and caches keep old
 * responses.
 */
export const provenAfter = { times: 3, overMs: minuteMs } as const;

/** The doubt after an observation: a different sign restarts the count. */
export function addObservation(
  before: Doubt | undefined,
  observed: Observation,
  nowMs: number,
): Doubt {
  const isSame = before?.sign === observed.sign;
  return {
    ...observed,
    times: isSame ? before.times + 1 : 1,
    since: isSame ? before.since : nowMs,
  };
}

/** Whether a doubt is proven. @param overMs `provenAfter.overMs`, unless a test is in a hurry. */
export function isProven({ times, since }: Doubt, nowMs: number, overMs: number): boolean {
  return times >= provenAfter.times && nowMs - since >= overMs;
}
