import type {
  FailureCode,
  ImageParameters,
  InputRole,
  InputType,
  VideoParameters,
} from '@framegate/contract';
import type { ProviderOutput } from './media.ts';
import type { ProviderHealth } from '../../domain/breaker.ts';
import type { ProviderAnswer } from '../../domain/attempt.ts';

/** A request for a provider. */
export interface ProviderRequest {
  /** Framegate's reference. */
  generationId: string;
  type: 'video' | 'image';
  mode: string | null;
  prompt: string;
  inputs: readonly ProviderInput[];
  parameters: VideoParameters | ImageParameters;
  /** Whether an earlier submission of the same order has an unknown outcome. */
  isRepeated?: boolean;
}

/** A stored input, as bytes or as a short-lived URL of ours; never the customer's URL. */
export interface ProviderInput {
  type: InputType;
  role: InputRole;
  mediaType: string;
  read(): Promise<Uint8Array>;
  url(): string;
}

/** Details of the provider's answer, for staff only. */
interface Answered {
  /** Its last answer, if it was called over HTTP. */
  answer?: ProviderAnswer;
  /** Its own usage figures, such as tokens, seconds or a price: JSON, at most 2,000 characters. */
  reported?: string;
}

/** The last fetch of a file within a submission. */
export interface Fetch {
  host: string;
  worked: boolean;
}

/** The outcome of a submission. `note` is for staff only. */
export type Submission = Answered & { fetch?: Fetch } & SubmissionResult;

/** The provider's handle of a job; `operationShown` is for people, if the handle contains the provider's key. */
interface Handle {
  operation: unknown;
  operationShown?: string;
}

type SubmissionResult =
  | ({ kind: 'accepted' } & Handle)
  | { kind: 'completed'; outputs: ProviderOutput[] }
  /**
   * Accepted, but an option was lost, so the result would differ from the paid order. The generation fails; `operation`
   * is for staff.
   */
  | ({ kind: 'undelivered'; note: string } & Handle)
  /**
   * Definitely not accepted. With a `code` the generation fails with it; without one the next route is tried. `busy`:
   * the same request may be accepted later. `health`: the provider's state; absent if the refusal concerns only the
   * request.
   */
  | {
      kind: 'refused';
      code: FailureCode | null;
      busy: boolean;
      note: string;
      health?: ProviderHealth;
    }
  | { kind: 'unknown'; note: string };

/**
 * The result of polling an accepted submission. A `fault` is no verdict: the poll is repeated later. `retryAfterMs`: the
 * provider's request not to be asked about it sooner.
 */
export type PollResult =
  | { kind: 'pending'; retryAfterMs?: number }
  | (Answered &
      (
        | { kind: 'completed'; outputs: ProviderOutput[] }
        /** `isFree`: according to the provider's documentation this outcome is not charged. */
        | { kind: 'failed'; code: FailureCode; note: string; isFree?: boolean }
        /** `isFinished`: the job is finished but its result was unavailable. */
        | {
            kind: 'fault';
            note: string;
            isFinished?: boolean;
            isFree?: boolean;
            retryAfterMs?: number;
          }
      ));

/** A provider's answer to a cancellation. `note` is for staff only. */
export interface CancelResult {
  /** Whether it accepted; some providers only stop jobs that have not begun. */
  accepted: boolean;
  note: string;
}

/** A request to a provider, built but not sent. */
export interface ShownRequest {
  method: string;
  url: string;
  /** Without the key. */
  body: string;
  /** Options of the route that have no effect on it. */
  ignored: readonly string[];
  /** Promised parameters that would not be sent, so that a route refuses the order, as `send` names them. */
  dropped: readonly string[];
}
