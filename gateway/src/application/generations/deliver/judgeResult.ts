import type { FailureCode } from '@framegate/contract';
import { TransferError } from '@framegate/limits';
import type { ResultMeasures } from '@framegate/media';
import { InvalidOutputError, ReaderError } from '@framegate/media/errors';
import type { ProviderOutput } from '@framegate/provider-routes';
import { type Attempt, type LostReason, withDoubt } from '../../../domain/generations/attempt.ts';
import {
  addObservation,
  type Doubt,
  isProven,
  type Observation,
} from '../../../domain/providers/doubt.ts';
import type { AppCore } from '../../app.ts';
import { MissingOutputError } from '../../ports/media.ts';

/** Why a result is refused. */
export interface ResultRefusal {
  reason: LostReason;
  code: FailureCode;
  /** Problem in words for staff. */
  problem: string;
  /** The figures of the files before the one at fault, or of all. */
  measures: readonly ResultMeasures[];
  /** The media type of a file of another type than ordered. */
  otherType?: string | null;
}

/**
 * A result would be refused, but its transfer may be at fault. `fetchOutputs` and `deliverFromMemory` catch it,
 * note the doubt and try again.
 */
export class DoubtfulResultError extends Error {
  override readonly name = 'DoubtfulResultError';
  readonly doubt: Doubt;
  readonly refusal: ResultRefusal;
  constructor(doubt: Doubt, refusal: ResultRefusal) {
    super(doubt.reason);
    this.doubt = doubt;
    this.refusal = refusal;
  }
}

/** @throws DoubtfulResultError unless the same symptom was seen often enough, each time after a new poll. */
export function requireRepeatedSign(
  { clock, timings }: Pick<AppCore, 'clock' | 'timings'>,
  attempts: readonly Attempt[],
  sign: Observation,
  refusal: ResultRefusal,
): void {
  const nowMs = clock.now();
  const doubt = addObservation(attempts.at(-1)?.doubt, sign, nowMs);
  if (!isProven(doubt, nowMs, timings.provenAfterMs)) throw new DoubtfulResultError(doubt, refusal);
}

/** The refusal of a result that differs grossly from its order. */
export const notAsOrderedRefusal = (
  problem: string,
  measures: readonly ResultMeasures[],
): ResultRefusal => ({
  reason: 'not_as_ordered',
  code: 'generation_failed',
  problem,
  measures,
});

/**
 * The problem that a failed reading shows in the file; null if it concerns only the transfer, the store or our reader.
 * An only copy has no other source: a faulty transfer is final.
 */
export function resultRefusal(
  error: unknown,
  { isOnlyCopy }: Pick<ProviderOutput, 'isOnlyCopy'>,
  measures: readonly ResultMeasures[],
): ResultRefusal | null {
  if (error instanceof MissingOutputError) {
    return { reason: 'file_missing', code: 'internal_error', problem: error.message, measures };
  }
  const isFile = error instanceof InvalidOutputError && error.file !== null;
  const isTransfer = error instanceof InvalidOutputError || error instanceof TransferError;
  if (!isFile && !(isOnlyCopy && isTransfer)) return null;
  const { otherType = null } = error instanceof InvalidOutputError ? error : {};
  const invalid = { reason: 'invalid_output', code: 'generation_failed' } as const;
  return { ...invalid, problem: error.message, measures, otherType };
}

/**
 * The attempts after a failed reading, with its doubt. Different content in place of the file is a fault of its host
 * and ends a doubt: only the same bytes, repeatedly, prove anything. Our own faults prove nothing.
 */
export function afterReading(attempts: readonly Attempt[], error: unknown): Attempt[] {
  if (error instanceof DoubtfulResultError) return withDoubt(attempts, error.doubt);
  const isOfHost = error instanceof InvalidOutputError || error instanceof TransferError;
  return isOfHost ? withDoubt(attempts, undefined) : [...attempts];
}

/** Whether a file was received and read without success, which costs more than a failed transfer. */
export function isOfReading(error: unknown): boolean {
  return error instanceof DoubtfulResultError || error instanceof ReaderError;
}
