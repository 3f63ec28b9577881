import type { Error as Refusal, ErrorDetail, FeedRestored } from './generated/api.ts';

/** Known facts about an error. */
export interface About {
  /** Key of the write; repeating the call with this key takes effect once. */
  idempotencyKey?: string | undefined;
  /** Whether the write may have taken effect without an answer. */
  mayBeDone?: boolean | undefined;
  cause?: unknown;
}

/** Base of all errors of this client. The message explains what happened and what to do. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
  /** For programs: a code of the API, or one of this client. */
  readonly code: string;
  /** Whether the same call may succeed later unchanged. */
  readonly retryable: boolean = false;
  readonly idempotencyKey: string | undefined;
  readonly mayBeDone: boolean;

  constructor(code: string, message: string, about: About = {}) {
    super(message + advice(about), 'cause' in about ? { cause: about.cause } : undefined);
    this.code = code;
    this.idempotencyKey = about.idempotencyKey;
    this.mayBeDone = about.mayBeDone === true;
  }
}

function advice({ idempotencyKey, mayBeDone }: About): string {
  if (mayBeDone !== true) return '';
  return ` The write may have been done: the same call with idempotencyKey '${idempotencyKey ?? ''}' answers its outcome and does it once.`;
}

/** Unusable settings or arguments. Nothing was sent. */
export class UsageError extends OperatorError {
  override readonly name = 'UsageError';
}

/** No answer arrived in any try. */
export class ConnectionError extends OperatorError {
  override readonly name = 'ConnectionError';
  override readonly retryable = true;
}

/** Something other than the API has answered: a proxy, another server. */
export class UnexpectedAnswerError extends OperatorError {
  override readonly name = 'UnexpectedAnswerError';
  /** HTTP status. */
  readonly status: number;
  override readonly retryable: boolean;

  constructor(status: number, message: string, about: About) {
    super('unexpected_answer', message, about);
    this.status = status;
    this.retryable = status === 408 || status === 429 || status >= 500;
  }
}

/** A refusal by the API; a refused write has had no effect. */
export class ApiError extends OperatorError {
  override readonly name: string = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** The family of the code, such as `not_found_error`. */
  readonly type: string;
  /** Also found in the gateway's log and in the console's audit log. */
  readonly requestId: string;
  /** The first field at fault, such as `amount`, or null. */
  readonly param: string | null;
  /** Every problem of the request. */
  readonly details: readonly ErrorDetail[];
  /** Only with `feed_restored`: where to read the feed again. */
  readonly restored: FeedRestored | null;
  override readonly retryable: boolean;

  constructor(status: number, refusal: Refusal['error'], about: About = {}) {
    super(refusal.code, `${refusal.message} (${refusal.code}, ${refusal.request_id})`, about);
    this.status = status;
    this.type = refusal.type;
    this.requestId = refusal.request_id;
    this.param = refusal.param;
    this.details = refusal.details;
    this.restored = refusal.restored ?? null;
    this.retryable = refusal.retryable;
  }
}

/** The request must be changed, or is impossible at present; `code` tells which. */
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError';
}

/** The operator key is invalid. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}

/** The account does not have enough credits. */
export class BillingError extends ApiError {
  override readonly name = 'BillingError';
}

/** The key lacks a scope, or may not be used from here. */
export class PermissionDeniedError extends ApiError {
  override readonly name = 'PermissionDeniedError';
}

/** The account, key or generation does not exist. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** The idempotency key or the reference was used for something else. */
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

/** A fault of the gateway that outlasted this call. */
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

/** The error of a refusal, by its family. */
export function apiError(status: number, refusal: Refusal['error'], about: About): ApiError {
  const { type } = refusal;
  const Class = Object.hasOwn(classes, type) ? classes[type] : undefined;
  return new (Class ?? ApiError)(status, refusal, about);
}

/** The caller's signal was aborted; its reason is the `cause`. */
export class AbortError extends OperatorError {
  override readonly name = 'AbortError';

  constructor(about: About) {
    super('aborted', 'The call was aborted.', about);
  }
}
