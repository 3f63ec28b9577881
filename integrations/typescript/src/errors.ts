import { type ErrorContext, FramegateError } from './baseError.ts';
import { type ApiError, BillingError, classOf } from './core/errors.ts';
import { membersOf } from './core/json.ts';
import type { Error as Refusal, Generation } from './generated/api.ts';

export * from './baseError.ts';
export * from './core/errors.ts';

/** The price is above `maxCredits`. Nothing was created. */
export class PriceLimitError extends FramegateError {
  override readonly name = 'PriceLimitError';
  readonly credits: number;
  readonly maxCredits: number;

  constructor(credits: number, maxCredits: number) {
    super(
      'price_above_limit',
      `This costs ${credits} credits, more than maxCredits (${maxCredits}). Nothing was sent: raise the limit, or choose a lower resolution, a shorter duration or fewer images.`,
    );
    this.credits = credits;
    this.maxCredits = maxCredits;
  }
}

/** There are not enough credits. */
export class InsufficientCreditsError extends BillingError {
  override readonly name = 'InsufficientCreditsError';
  /** Cost of the generation in credits. */
  readonly required: number | undefined;
  /** Currently spendable credits. */
  readonly available: number | undefined;

  constructor(status: number, refusal: Refusal['error'], about?: ErrorContext) {
    super(status, refusal, about);
    const { required, available } = membersOf(refusal.credits);
    this.required = typeof required === 'number' ? required : undefined;
    this.available = typeof available === 'number' ? available : undefined;
  }
}

/** The error of a refusal, by its code or its family. */
export function apiError(status: number, refusal: Refusal['error'], about: ErrorContext): ApiError {
  const isShort = refusal.code === 'insufficient_credits';
  return new (isShort ? InsufficientCreditsError : classOf(refusal))(status, refusal, about);
}

/** The generation was accepted and has failed; `code` gives the reason. */
export class GenerationFailedError extends FramegateError {
  override readonly name = 'GenerationFailedError';
  /** Whether credits were refunded: `generation.billing.refunded_credits`. */
  readonly refunded: boolean;
  /** Whether a new create request, with a new idempotency key, may succeed. */
  override readonly retryable: boolean;
  readonly generation: Generation;

  constructor(generation: Generation, idempotencyKey?: string) {
    const { error, billing, id } = generation;
    const { refunded_credits: refunded } = billing;
    const refund = refunded === undefined ? '' : ` ${refunded} credits were refunded.`;
    const message = error?.message ?? 'The generation failed.';
    super(error?.code ?? 'generation_failed', message + refund, {
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
      `The generation did not finish in time; it continues and is not charged again. Wait for it with generations.wait('${id}').`,
      { generationId: id, idempotencyKey, ...(cause !== undefined && { cause }) },
    );
    this.id = id;
  }
}

/** The finished file could not be downloaded. It is still at the service unless `code` is `file_gone`. */
export class DownloadError extends FramegateError {
  override readonly name = 'DownloadError';
}
