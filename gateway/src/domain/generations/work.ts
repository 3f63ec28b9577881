import type { FailureCode, Status } from '@framegate/contract';
import type { WrongFile } from '@framegate/contract/fileKinds';
import type { Attempt } from './attempt.ts';

/**
 * The states of the work on a generation. `waiting`: for a slot to run within its account; `ready`: for a provider;
 * `parked`: until a provider has a free slot; `submitting`: an attempt is stored and the provider is being called (its
 * outcome is unknown once the lease expires, I6); `submitted`: the provider works on it; `ended`.
 */
export const generationSteps = [
  'waiting',
  'ready',
  'parked',
  'submitting',
  'submitted',
  'ended',
] as const;
/** A state of the work on a generation. */
export type GenerationStep = (typeof generationSteps)[number];

/** A failure as the record shows it; `param` names the input at fault. */
export interface GenerationFailure {
  code: FailureCode;
  param?: string;
  /** The kind of the file at `param`, if the input does not accept it. */
  wrongFile?: WrongFile;
  /** Set if its owner took it back before its submission to a provider; shown only on the site. */
  wasCancelled?: boolean;
}

/** One event in the history of a generation, for staff. */
export interface TimelineEvent {
  at: number;
  what: string;
  /** Host and process id of the writer, added by the store. */
  process?: string;
}

/** The moments of a generation's history, in ms since the epoch. */
export interface GenerationMoments {
  createdAt: number;
  /** When a provider accepted it. */
  startedAt: number | null;
  endedAt: number | null;
}

/** The status that customers see, with the reason of a failure. */
export interface GenerationStatus {
  status: Status;
  failure: GenerationFailure | null;
}

/** The state from which the next act on a generation follows. */
export interface WorkState {
  step: GenerationStep;
  attempts: Attempt[];
}

/** When a generation's job runs next. */
export interface Schedule extends Pick<WorkState, 'step'> {
  /** When the generation fails and is refunded: first the waiting deadline, then the running deadline. */
  deadlineAt: number;
  /** The next poll, at the latest at the deadline; indexed while unfinished. */
  dueAt: number;
  /** End of one worker's exclusive lease. */
  leaseUntil: number;
}

/** The work on a generation, from its order to its end. */
export interface GenerationWork extends GenerationMoments, GenerationStatus, WorkState, Schedule {
  /** Incremented with each lease; a late write of an earlier holder names an older epoch and matches nothing. */
  epoch: number;
  /** Number of times that copying its inputs was started; absent before the first. */
  inputAttempts?: number;
  timeline: TimelineEvent[];
  /** Number of its account's latest ledger entry at its end, which places it among the entries. */
  endNumber?: number;
  /** Position among the account's ends and events after that entry (`changeSequence`). */
  endSequence?: number;
}

/**
 * A moment of a generation's history: never before the earlier ones, although a clock was set back in the meantime.
 * @param nowMs Database time.
 */
export const clampToHistory = (
  { createdAt, startedAt }: Pick<GenerationMoments, 'createdAt' | 'startedAt'>,
  nowMs: number,
): number => Math.max(nowMs, createdAt, startedAt ?? createdAt);
