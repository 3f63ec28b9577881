import type { Error as Refusal, ErrorDetail, Generation } from './generated/api.ts';

/** Known facts about an error. */
export interface About {
  /** The generation, which continues at the service regardless of this call. */
  generationId?: string | undefined;
  /** Key of the create; repeating the call with this key makes and charges nothing more. */
  idempotencyKey?: string | undefined;
  /** Whether a create may have been accepted without an answer. */
  mayHaveCreated?: boolean | undefined;
  cause?: unknown;
}

/** Base of all errors of this client. The message explains what happened and what to do. */
export class FramegateError extends Error {
  override readonly name: string = 'FramegateError';
  /** For programs: a code of the API (docs/errors.md of the gateway), or one of this client. */
  readonly code: string;
  /** Whether the same call may succeed later unchanged. */
  readonly retryable: boolean = false;
  readonly generationId: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly mayHaveCreated: boolean;

  constructor(code: string, message: string, about: About = {}) {
    super(message + advice(about), 'cause' in about ? { cause: about.cause } : undefined);
    this.code = code;
    this.generationId = about.generationId;
    this.idempotencyKey = about.idempotencyKey;
    this.mayHaveCreated = about.mayHaveCreated === true;
  }
}

function advice({ generationId, idempotencyKey, mayHaveCreated }: About): string {
  const key = idempotencyKey === undefined ? '' : `, idempotencyKey '${idempotencyKey}'`;
  if (generationId !== undefined) return ` Generation: ${generationId}${key}.`;
  if (mayHaveCreated !== true) return '';
  return ` The generation may have been created: the same call with idempotencyKey '${idempotencyKey ?? ''}' returns it and isn't charged again.`;
}

/** Unusable settings or arguments. Nothing was sent. */
export class UsageError extends FramegateError {
  override readonly name = 'UsageError';
}

/** The price is above `maxCredits`. Nothing was created. */
export class PriceLimitError extends FramegateError {
  override readonly name = 'PriceLimitError';
  readonly credits: number;
  readonly maxCredits: number;

  constructor(credits: number, maxCredits: number) {
    super(
      'price_above_limit',
      `This costs ${credits} credits, more than maxCredits (${maxCredits}). Nothing was sent: raise the limit, or ask for a smaller resolution, duration or number.`,
    );
    this.credits = credits;
    this.maxCredits = maxCredits;
  }
}

/** No answer arrived in any try. */
export class ConnectionError extends FramegateError {
  override readonly name = 'ConnectionError';
  override readonly retryable = true;
}

/** Something other than the API has answered: a proxy, a login page, another server. */
export class UnexpectedAnswerError extends FramegateError {
  override readonly name = 'UnexpectedAnswerError';
  /** HTTP status. */
  readonly status: number;
  override readonly retryable: boolean;

  /** @param isPassing Whether another try may be answered, regardless of the status. */
  constructor(status: number, message: string, about: About, isPassing = false) {
    super('unexpected_answer', message, about);
    this.status = status;
    this.retryable = isPassing || status === 408 || status === 429 || status >= 500;
  }
}

/** A refusal by the API; a refused create has made and charged nothing. */
export class ApiError extends FramegateError {
  override readonly name: string = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** The family of the code, such as `billing_error`. */
  readonly type: string;
  /** Give it to support. */
  readonly requestId: string;
  /** The first field at fault, such as `inputs[1].url`, or null. */
  readonly param: string | null;
  /** Every problem of the request. */
  readonly details: readonly ErrorDetail[];
  override readonly retryable: boolean;

  constructor(status: number, refusal: Refusal['error'], about: About = {}) {
    super(refusal.code, `${refusal.message} (${refusal.code}, ${refusal.request_id})`, about);
    this.status = status;
    this.type = refusal.type;
    this.requestId = refusal.request_id;
    this.param = refusal.param;
    this.details = refusal.details;
    this.retryable = refusal.retryable;
  }
}

/** The request must be changed; `details` tells where. */
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError';
}

/** The API key is invalid. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}

/** Credits or the key's daily limit are insufficient. */
export class BillingError extends ApiError {
  override readonly name: string = 'BillingError';
}

/** There are not enough credits. */
export class InsufficientCreditsError extends BillingError {
  override readonly name = 'InsufficientCreditsError';
  /** Cost of the generation in credits. */
  readonly required: number | undefined;
  /** Currently spendable credits. */
  readonly available: number | undefined;

  constructor(status: number, refusal: Refusal['error'], about?: About) {
    super(status, refusal, about);
    this.required = refusal.credits?.required;
    this.available = refusal.credits?.available;
  }
}

/** Not allowed for this account or key. */
export class PermissionDeniedError extends ApiError {
  override readonly name = 'PermissionDeniedError';
}

/** The generation, model or address does not exist for this key. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** Problem with the idempotency key. */
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

/** The error of a refusal, by its code or its family. */
export function apiError(status: number, refusal: Refusal['error'], about: About): ApiError {
  const { code, type } = refusal;
  const ofType = Object.hasOwn(classes, type) ? classes[type] : undefined;
  const Class = code === 'insufficient_credits' ? InsufficientCreditsError : ofType;
  return new (Class ?? ApiError)(status, refusal, about);
}

/** The generation was accepted and has failed; `code` gives the reason. */
export class GenerationFailedError extends FramegateError {
  override readonly name = 'GenerationFailedError';
  /** Whether credits were refunded: `generation.billing.refunded_credits`. */
  readonly refunded: boolean;
  /** Whether a new create, with a new idempotency key, may succeed. */
  override readonly retryable: boolean;
  readonly generation: Generation;

  constructor(generation: Generation, idempotencyKey?: string) {
    const { error, billing, id } = generation;
    const { refunded_credits: refunded } = billing;
    const told = refunded === undefined ? '' : ` ${refunded} credits were refunded.`;
    const message = error?.message ?? 'The generation failed.';
    super(error?.code ?? 'generation_failed', message + told, {
      generationId: id,
      idempotencyKey,
    });
    this.refunded = billing.status === 'refunded';
    this.retryable = error?.retryable ?? false;
    this.generation = generation;
  }
}

/** The generation did not end in time. It continues: `generations.wait(error.id)` resumes the wait. */
export class WaitTimeoutError extends FramegateError {
  override readonly name = 'WaitTimeoutError';
  override readonly retryable = true;
  /** Id of the generation. */
  readonly id: string;

  constructor(id: string, cause?: unknown, idempotencyKey?: string) {
    super(
      'wait_timeout',
      `The generation has not ended in time; it continues and is not charged again. Wait for it with generations.wait('${id}').`,
      { generationId: id, idempotencyKey, ...(cause !== undefined && { cause }) },
    );
    this.id = id;
  }
}

/** The caller's signal was aborted; its reason is the `cause`. A created generation continues. */
export class AbortError extends FramegateError {
  override readonly name = 'AbortError';

  constructor(about: About) {
    super('aborted', 'The call was aborted.', about);
  }
}

/** The finished file could not be downloaded. It is still at the service unless `code` is `file_gone`. */
export class DownloadError extends FramegateError {
  override readonly name = 'DownloadError';
}
