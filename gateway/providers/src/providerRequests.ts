import type {
  FailureCode,
  ImageParameters,
  InputRole,
  InputType,
  VideoParameters,
} from '@framegate/contract';

/** An amount in millionths of a currency's unit, as a whole number, so that sums are exact. */
export interface Money {
  /** Three capital letters, as in ISO 4217. */
  currency: string;
  micros: number;
}

/** A file from a provider. */
export interface ProviderOutput {
  /** The host to fetch it from; absent if the file is already here. */
  host?: string;
  /** Set if there is no other copy: each reading, now and after another poll, gives the same bytes. */
  isOnlyCopy?: boolean;
  /** Forgets bytes at hand, so that the next reading fetches the file again. */
  forget?(): void;
  /** Opens it; may be called again after a failure. */
  read(signal: AbortSignal): Promise<Uint8Array | AsyncIterable<Uint8Array>>;
}

/**
 * One HTTP response of a provider, shortened and without secrets. Only staff may read it, and only with a reason,
 * because it may quote the prompt; it is removed with the prompt.
 */
export interface ProviderResponse {
  /** Method and host of the request. */
  request: string;
  /** HTTP status; null without a response. */
  status: number | null;
  mediaType: string | null;
  /** Null if not kept: the response to a successful image call contains the images. */
  body: string | null;
  /** The network failure. */
  failure: string | null;
}

/** The state of the provider as shown by a submission, independent of the generation's outcome. */
export type ProviderHealth =
  | { kind: 'success' }
  /** The provider is at fault, not the request. */
  | { kind: 'failure' }
  /** The provider refuses the key, the account has no credit, or the region is not served. */
  | { kind: 'key' | 'account' | 'region' }
  /** The provider answers, but the requested model does not exist or is unavailable to us. */
  | { kind: 'model_gone' }
  /** The package would leave out a promised parameter of this order. */
  | { kind: 'parameter_dropped' }
  /** Refused for an unknown reason. `said` is equal for refusals that are alike. */
  | { kind: 'refusal'; said: string }
  /** Healthy but without capacity. `retryAfterMs` is the provider's request. */
  | { kind: 'busy'; retryAfterMs: number | null };

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
  /** Length of a video or audio file. */
  seconds?: number;
  read(): Promise<Uint8Array>;
  url(): string;
}

/**
 * The charge that a provider reports for an order: an amount, or tokens, which the route's cost prices. `unreadable`:
 * the number or the type of value in its place.
 */
export type ReportedCharge = Money | { tokens: number } | { unreadable: string };

/** Details of the provider's response, for staff only. */
interface ResponseDetails {
  /** The provider's last response, if it was called over HTTP. */
  response?: ProviderResponse;
  /** Its own usage figures, such as tokens, seconds or a price: JSON, at most 2,000 characters. */
  reported?: string;
  charged?: ReportedCharge;
}

/** The last fetch of a file within a submission. */
export interface FileFetch {
  host: string;
  hasWorked: boolean;
}

/** The outcome of a submission. `note` is for staff only. */
export type Submission = ResponseDetails & { fetch?: FileFetch } & SubmissionResult;

/** The provider's handle of a job; `operationShown` is human-readable, if the handle contains the provider's key. */
interface JobHandle {
  operation: unknown;
  operationShown?: string;
}

type SubmissionResult =
  | ({ kind: 'accepted' } & JobHandle)
  | { kind: 'completed'; outputs: ProviderOutput[] }
  /**
   * Accepted, but an option was lost, so the result would differ from the paid order. The generation fails; `operation`
   * is for staff.
   */
  | ({ kind: 'undelivered'; note: string } & JobHandle)
  /**
   * Definitely not accepted. With a `code` the generation fails with it; without one the next route is tried. `busy`:
   * the same request may be accepted later. `health`: the provider's state; absent if the refusal concerns only
   * the request.
   */
  | {
      kind: 'refused';
      code: FailureCode | null;
      isBusy: boolean;
      note: string;
      health?: ProviderHealth;
    }
  | { kind: 'unknown'; note: string };

/**
 * The result of polling an accepted submission. A `fault` is not a verdict: the poll is repeated later. `retryAfterMs`:
 * how long the provider asks callers to wait before the next poll.
 */
export type PollResult =
  | { kind: 'pending'; retryAfterMs?: number }
  | (ResponseDetails &
      (
        | { kind: 'completed'; outputs: ProviderOutput[] }
        /** `isFree`: according to the provider's documentation this outcome is not charged. */
        | { kind: 'failed'; code: FailureCode; note: string; isFree?: boolean }
        /**
         * `isFinished`: the provider no longer works on the job, but there is no result that can be used. If that stays
         * so, the job has failed with `code`, by default `generation_failed`. False: it still works.
         */
        | {
            kind: 'fault';
            note: string;
            isFinished?: boolean;
            code?: FailureCode;
            isFree?: boolean;
            retryAfterMs?: number;
          }
      ));

/** A provider's response to a cancellation. `note` is for staff only. */
export interface CancelResult {
  /** Whether it accepted; some providers only stop jobs that have not begun. */
  isAccepted: boolean;
  note: string;
}

/** A request to a provider, built but not sent. */
export interface ShownRequest {
  method: string;
  url: string;
  /** The request's body, without the key. */
  body: string;
  /** Options of the route that have no effect on it. */
  ignored: readonly string[];
  /** Promised parameters that would not be sent, so that a route refuses the order, as `send` names them. */
  dropped: readonly string[];
}
