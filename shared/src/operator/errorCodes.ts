import { errorCodes, type ErrorCode, type ErrorType } from '../errorCodes.ts';

interface ErrorEntry {
  /** HTTP status. */
  status: number;
  type: ErrorType;
  /** Whether the same request may succeed later. */
  retryable: boolean;
  message: string;
}

/** Codes that only the operator API answers, in addition to those of the public API that it shares. */
export const operatorErrorCodes = {
  cursor_invalid: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The cursor is not one of this list. Send a next of the same list, or none to begin.',
  },
  feed_restored: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message:
      'The database was restored from a backup. Forget everything beyond restored.position, and read again after restored.after.',
  },
  insufficient_scope: {
    status: 403,
    type: 'permission_error',
    retryable: false,
    message: 'The operator key lacks a scope that this operation needs.',
  },
  address_not_allowed: {
    status: 403,
    type: 'permission_error',
    retryable: false,
    message: 'The operator key may not be used from your address.',
  },
  account_not_found: {
    status: 404,
    type: 'not_found_error',
    retryable: false,
    message: 'There is no customer account with this id.',
  },
  key_not_found: {
    status: 404,
    type: 'not_found_error',
    retryable: false,
    message: 'The account has no API key with this id.',
  },
  member_not_found: {
    status: 404,
    type: 'not_found_error',
    retryable: false,
    message: 'The account has no member with this id.',
  },
  plan_not_found: {
    status: 404,
    type: 'not_found_error',
    retryable: false,
    message: 'The account has no plan.',
  },
  plan_runs: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The account has a plan already: change or end it.',
  },
  generation_busy: {
    status: 409,
    type: 'api_error',
    retryable: true,
    message: 'A worker is busy with the generation right now: nothing was done. Repeat it later.',
  },
  generation_ended: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The generation has ended, and an end is final: nothing was done.',
  },
  email_taken: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'Another account has this e-mail address.',
  },
  erasure_not_found: {
    status: 404,
    type: 'invalid_request_error',
    retryable: false,
    message: 'This account was never erased.',
  },
  email_not_verified: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message:
      'The address of the account is not verified, so that the account may be of somebody else. If you know that the address belongs to the customer, send email_verified: true by an upsert.',
  },
  external_id_taken: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'Another account has this external id.',
  },
  lots_full: {
    status: 422,
    type: 'invalid_request_error',
    retryable: true,
    message:
      'The account holds credits of too many kinds and expiries: nothing was booked. Use an expiry that it has, such as the end of a month.',
  },
  reference_reused: {
    status: 422,
    type: 'idempotency_error',
    retryable: false,
    message:
      'Other credits were booked under this reference, and nothing was booked now. Use a new reference for new credits.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type OperatorErrorCode = keyof typeof operatorErrorCodes;

/** Any code of a refused request, of either API. */
export type AnyErrorCode = ErrorCode | OperatorErrorCode;

const all: Readonly<Record<AnyErrorCode, ErrorEntry>> = { ...errorCodes, ...operatorErrorCodes };

/** Status, type and default message of a code of either API. */
export function errorEntry(code: AnyErrorCode): ErrorEntry {
  return all[code];
}

/** Messages of shared codes that would mislead an operator. */
export const operatorMessages: Partial<Record<AnyErrorCode, string>> = {
  idempotency_key_missing:
    'Send an Idempotency-Key header with every write: a new value for each one, the same value when you repeat a request.',
  idempotency_key_reused:
    'This Idempotency-Key was already used for this path with another body. Repeat the first body unchanged, or use a new key.',
  invalid_api_key:
    'The operator key is missing or not valid. Send "Authorization: Bearer <operator key>"; "npm run admin -- operator-key create" makes one.',
  insufficient_credits: 'The account does not have that many credits: nothing was taken.',
  key_limit_reached:
    'This operator key has moved as many credits today as OPERATOR_CREDITS_PER_DAY allows: nothing was done. Wait for the next day (UTC), or raise the setting.',
  account_suspended: 'The account is suspended: resume it first.',
  generation_not_found: 'There is no generation with this id.',
  input_host_not_approved:
    'The host of an input URL is not approved for any key of the account. Approve it, or use an approved host.',
  model_not_found: 'This model does not exist here or has no route.',
  not_found: 'There is nothing at this address. Check the path; all paths begin with /operator/v1.',
};
