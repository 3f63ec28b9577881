/* Copied from integrations/typescript/src/core/errors.ts by "npm run generate": do not edit. */

import { type ErrorContext, OperatorError } from '../baseError.ts';
import type { Error as Refusal, ErrorDetail } from '../generated/api.ts';
import { isRetryable } from './retry.ts';

/** Unusable settings or arguments. Nothing was sent. */
export class UsageError extends OperatorError {
  override readonly name = 'UsageError';
}

/** No response arrived in any try. */
export class ConnectionError extends OperatorError {
  override readonly name = 'ConnectionError';
  override readonly retryable = true;
}

/** Something other than the API has answered: a proxy, a login page, another server. */
export class UnexpectedResponseError extends OperatorError {
  override readonly name = 'UnexpectedResponseError';
  /** HTTP status. */
  readonly status: number;
  override readonly retryable: boolean;

  /** @param isTransient Whether another attempt may be answered, regardless of the status. */
  constructor(status: number, message: string, about: ErrorContext, isTransient = false) {
    super('unexpected_response', message, about);
    this.status = status;
    this.retryable = isTransient || isRetryable(status);
  }
}

/** A refusal by the API; the refused call has made, changed and charged nothing. */
export class ApiError extends OperatorError {
  override readonly name: string = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** The family of the code, such as `billing_error`. */
  readonly type: string;
  /** Identifies the request to support, and in the gateway's log. */
  readonly requestId: string;
  /** The first field at fault, such as `inputs[1].url`, or null. */
  readonly param: string | null;
  /** Every problem of the request. */
  readonly details: readonly ErrorDetail[];
  override readonly retryable: boolean;

  constructor(status: number, refusal: Refusal['error'], about: ErrorContext = {}) {
    super(refusal.code, `${refusal.message} (${refusal.code}, ${refusal.request_id})`, about);
    this.status = status;
    this.type = refusal.type;
    this.requestId = refusal.request_id;
    this.param = refusal.param;
    this.details = refusal.details;
    this.retryable = refusal.retryable;
  }
}

/** The request must be changed, or is impossible at present; `details` tells where. */
export class InvalidRequestError extends ApiError {
  override readonly name: string = 'InvalidRequestError';
}

/** The key is invalid. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}

/** Credits, or a limit of them, are insufficient. */
export class BillingError extends ApiError {
  override readonly name: string = 'BillingError';
}

/** The request is not allowed for this key. */
export class PermissionDeniedError extends ApiError {
  override readonly name = 'PermissionDeniedError';
}

/** The requested object or URL does not exist for this key. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** The idempotency key, or another unique value, was used for something else. */
export class IdempotencyError extends ApiError {
  override readonly name = 'IdempotencyError';
}

/** Too many requests, for longer than this call may take. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}

/** Problem with the content or its consent. */
export class ContentPolicyError extends ApiError {
  override readonly name = 'ContentPolicyError';
}

/** A fault of the service that outlasted this call. */
export class ServiceError extends ApiError {
  override readonly name = 'ServiceError';
}

const classes: Readonly<Record<string, typeof ApiError>> = {
  invalid_request_error: InvalidRequestError,
  authentication_error: AuthenticationError,
  billing_error: BillingError,
  permission_error: PermissionDeniedError,
  not_found_error: NotFoundError,
  idempotency_error: IdempotencyError,
  rate_limit_error: RateLimitError,
  content_policy_error: ContentPolicyError,
  api_error: ServiceError,
};

/** The class of a family's errors. */
export function classOf({ type }: Refusal['error']): typeof ApiError {
  return (Object.hasOwn(classes, type) ? classes[type] : undefined) ?? ApiError;
}

/** The caller's signal was aborted; its reason is the `cause`. Accepted generations continue. */
export class AbortError extends OperatorError {
  override readonly name = 'AbortError';

  constructor(about: ErrorContext) {
    super('aborted', 'The call was aborted.', about);
  }
}
