import type { ResultMeasures } from '@framegate/media';
import type { Money, ProviderResponse } from '@framegate/provider-routes';
import type { Doubt } from '../providers/doubt.ts';
import type { Difference } from './delivery.ts';

/** A response and its time in ms since the epoch. */
export type KeptResponse = ProviderResponse & { at: number };

/**
 * Why a provider's accepted or finished work was not delivered: the files could not be fetched or stored before
 * the deadline; the process had to stop; another process took over the generation; the result is damaged or of
 * the wrong type; it differs grossly from the order; the job is finished, but without a result; the files kept on
 * arrival are missing from the media store, for example after restoring an older backup of the database.
 */
export type LostReason =
  | 'not_stored'
  | 'process_stopped'
  | 'lease_lost'
  | 'invalid_output'
  | 'not_as_ordered'
  | 'no_result'
  | 'file_missing';

/** Why a valid order was refused: a fault that the operator must correct, or an unknown reason that recurs. */
export const refusedForReasons = [
  'key',
  'account',
  'region',
  'model_gone',
  'parameter_dropped',
  'identical',
] as const;
/** The reason why a valid order was refused. */
export type RefusedFor = (typeof refusedForReasons)[number];

/** A file of a refused result, kept in the media store as it arrived. Unmeasured figures are absent. */
export interface RefusedFile extends Pick<
  ResultMeasures,
  'width' | 'height' | 'seconds' | 'sound'
> {
  key: string;
  bytes: number;
  /** Hexadecimal hash. */
  sha256: string;
  /** The file's first 64 bytes in hexadecimal, which may quote the prompt. */
  head: string;
  /** Why it cannot be delivered; absent if it can. */
  problem?: string;
}

/** A result that was not delivered, kept for staff. Times in ms since the epoch. */
export interface RefusedResult {
  at: number;
  /** When its files are removed. */
  until: number;
  /** Empty once the prompt is removed. */
  files: RefusedFile[];
}

/** One submission of a generation to a provider and its outcome. Only staff see the names and ids. */
export interface Attempt {
  number: number;
  provider: string;
  model: string;
  startedAt: number;
  /** Name of the provider's key used; absent if the provider needs none. */
  key?: string;
  /** Fingerprint of that key: another one may bear its name later. */
  keyPrint?: string;
  /** Set if it was refused although the order is valid: the route may take it later, or with another key. */
  refusedFor?: RefusedFor;
  /** Whether the route has its own limits, which count this attempt. */
  isLimited?: boolean;
  outcome: 'open' | 'accepted' | 'refused' | 'unknown' | 'completed' | 'failed';
  /** The provider's handle for polls, as its adapter returned it. */
  operation: unknown;
  /** The handle as human-readable JSON; present only if the handle contains the provider's key. */
  operationShown?: string;
  /** The provider's id of its task, as its dashboard and its invoice show it; absent if unknown. */
  taskId?: string;
  /** Whether staff entered the operation, which may name any URL. */
  operationFrom?: 'staff';
  /** The provider's message, for staff. */
  note: string | null;
  /** Why the last poll gave no result: an HTTP status or a network failure. */
  fault?: string;
  /** A problem that would end the work if it persisted. */
  doubt?: Doubt;
  /** When the job was found finished while its files could not be fetched. */
  finishedAt?: number;
  /** Failed fetches of its finished files: their number, and the time and error of the latest. */
  fetches?: { attempts: number; at: number; error: string };
  /**
   * Its raw result in the media store, kept before cleaning so that any process can continue from it, and never served.
   * Absent once the generation has ended.
   */
  arrived?: { at: number; keys: string[] };
  /** The attempt's result, kept for staff because it was not delivered. */
  refused?: RefusedResult;
  /** The operator's cost of the order; null if the route states none, or if nothing is ordered. */
  cost: Money | null;
  /** The provider's own charge, as it reports it; takes the place of `cost`. */
  charged?: Money;
  /** Set if nothing was ordered, or if the provider's documentation says that this outcome is free. */
  isFree?: boolean;
  /** The provider's own usage figures as JSON, without text from the prompt. */
  reported?: string;
  /** The provider's response to a cancellation after the generation had ended. */
  cancel?: { at: number; isAccepted: boolean; note: string };
  lost?: { reason: LostReason; note: string };
  /** Differences between its result and the order; absent if there are none. */
  differences?: Difference[];
  /**
   * The responses to the submission and to the last poll that decided something or began to fail. Stored separately
   * from the attempt; only reads for staff include them.
   */
  responses?: { submit?: KeptResponse; poll?: KeptResponse };
}

/** The attempts with a change to the last one; earlier ones no longer change. */
export function withLastAttempt(attempts: readonly Attempt[], change: Partial<Attempt>): Attempt[] {
  return attempts.map((attempt, index) =>
    index === attempts.length - 1 ? { ...attempt, ...change } : attempt,
  );
}

/** The attempts, with this doubt, or none, about the last one. */
export function withDoubt(attempts: readonly Attempt[], doubt: Doubt | undefined): Attempt[] {
  return attempts.map(({ doubt: before, ...attempt }, index) => {
    const current = index === attempts.length - 1 ? doubt : before;
    return current ? { ...attempt, doubt: current } : attempt;
  });
}

/**
 * The attempts, with the latest one replacing an earlier refusal by the same route and key that the order only waited
 * out, so that an order that waits long does not accumulate them.
 */
export function withoutRepeated(attempts: readonly Attempt[]): Attempt[] {
  const earlier = attempts.slice(0, -1);
  const last = attempts.at(-1);
  const repeated = earlier.find(
    ({ refusedFor, provider, model, key }) =>
      refusedFor !== undefined &&
      provider === last?.provider &&
      model === last.model &&
      key === last.key,
  );
  if (!last || !repeated) return [...attempts];
  return earlier.map((each) => (each === repeated ? { ...last, number: each.number } : each));
}
