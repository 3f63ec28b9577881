import type { ErrorContext } from './baseError.ts';
import type { Error as Refusal, FeedRestored } from './generated/api.ts';
import { type ApiError, classOf, InvalidRequestError } from './generated/errors.ts';
import { membersOf } from './generated/json.ts';

export * from './baseError.ts';
export * from './generated/errors.ts';

/** The gateway's database was restored from a backup; the feed must be read again from another position. */
export class FeedRestoredError extends InvalidRequestError {
  override readonly name = 'FeedRestoredError';
  readonly restored: FeedRestored;

  constructor(
    status: number,
    refusal: Refusal['error'],
    restored: FeedRestored,
    about: ErrorContext,
  ) {
    super(status, refusal, about);
    this.restored = restored;
  }
}

/** The error of a refusal, by its code or its family. */
export function apiError(status: number, refusal: Refusal['error'], about: ErrorContext): ApiError {
  const { after, position } = membersOf(refusal.restored);
  if (typeof after === 'string' && typeof position === 'number') {
    return new FeedRestoredError(status, refusal, { after, position }, about);
  }
  return new (classOf(refusal))(status, refusal, about);
}
