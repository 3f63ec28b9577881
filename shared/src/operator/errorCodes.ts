import { type ErrorCode, errorCodes, type ErrorEntry } from '../errorCodes.ts';

interface OperatorErrorEntry extends ErrorEntry {
  /** The field at fault, if it is always the same one. */
  param?: string;
}

/** Codes that only the operator API returns, in addition to those of the public API that it shares. */
export const operatorErrorCodes = {
  cursor_invalid: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message:
      'The cursor does not belong to this list. Send the next value of an earlier page of the same list, or omit it to start from the beginning.',
    param: 'after',
  },
  feed_restored: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message:
      'The database was restored from a backup. Discard everything after restored.position, and resume from restored.after.',
  },
  insufficient_scope: {
    status: 403,
    type: 'permission_error',
    retryable: false,
    message: 'The operator key lacks a scope that this operation needs. Use a key with that scope.',
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
    message: 'There is no customer account with this ID.',
  },
  key_not_found: {
    status: 404,
    type: 'not_found_error',
    retryable: false,
    message: 'The account has no API key with this ID.',
  },
  member_not_found: {
    status: 404,
    type: 'not_found_error',
    retryable: false,
    message: 'The account has no member with this ID.',
  },
  team_owner_stays: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The account holder is always an owner of the team: nothing was changed.',
  },
  team_full: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The team has the maximum number of members. Remove one first.',
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
    message: 'The account already has a plan: change or end it.',
  },
  generation_busy: {
    status: 409,
    type: 'api_error',
    retryable: true,
    message:
      'A worker is busy with the generation right now: nothing was done. Try again in half a minute.',
  },
  generation_ended: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The generation has already ended and can no longer be changed: nothing was done.',
  },
  email_taken: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'Another account has this email address.',
    param: 'email',
  },
  erasure_not_found: {
    status: 404,
    type: 'not_found_error',
    retryable: false,
    message: 'This account was never erased.',
  },
  email_not_verified: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message:
      "The account's email address is not verified, so the account may belong to someone else. If you know that the address is the customer's, send email_verified: true in an upsert.",
  },
  external_id_taken: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'Another account has this external ID.',
    param: 'external_id',
  },
  lots_full: {
    status: 409,
    type: 'invalid_request_error',
    retryable: true,
    message:
      'The account has credits with too many combinations of kind and expiry: nothing was booked. Use an expiry it already has, such as the end of a month.',
    param: 'expires_at',
  },
  reference_reused: {
    status: 422,
    type: 'idempotency_error',
    retryable: false,
    message:
      'Other credits were already booked under this reference, so nothing was booked. Use a new reference for new credits.',
    param: 'reference',
  },
  key_revoked: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The API key has been permanently revoked. Create another key.',
  },
  keys_full: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message:
      'The account has the maximum number of active API keys. Revoke an unused one, then create the new one.',
  },
  key_name_missing: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The API key must have a name that is not blank.',
    param: 'name',
  },
  key_hosts_full: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message:
      'The API key has the maximum number of input hosts. Use *.suffix instead of several hosts, or use another key.',
    param: 'host',
  },
  account_hosts_full: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message:
      "The account's API keys cannot have more input hosts. Revoke an unused key together with its hosts, or use *.suffix instead of several hosts.",
  },
  host_invalid: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message:
      'An input host must be a public DNS name, or a *.suffix that covers only your own hosts.',
    param: 'host',
  },
  plan_start_invalid: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message:
      'A plan must start within the next year, by the database clock. Omit starts_at to start it now.',
    param: 'starts_at',
  },
  expiry_past: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The expiry is in the past by the database clock. Send a later time, or omit it.',
    param: 'expires_at',
  },
  balance_too_high: {
    status: 409,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The account would exceed the maximum number of credits: nothing was booked.',
    param: 'amount',
  },
  generations_unfinished: {
    status: 409,
    type: 'invalid_request_error',
    retryable: true,
    message:
      'The account has unfinished generations: nothing was erased. Suspend it and wait until they end, or fail them, then repeat the call.',
  },
  output_not_found: {
    status: 404,
    type: 'not_found_error',
    retryable: false,
    message: 'The generation has no output to take down.',
  },
} as const satisfies Record<string, OperatorErrorEntry>;

/** A code that only the operator API returns. */
export type OperatorErrorCode = keyof typeof operatorErrorCodes;

/** Any code of a refused request, of either API. */
export type AnyErrorCode = ErrorCode | OperatorErrorCode;

const all: Readonly<Record<AnyErrorCode, OperatorErrorEntry>> = {
  ...errorCodes,
  ...operatorErrorCodes,
};

/** Status, type and default message of a code of either API. */
export function errorEntry(code: AnyErrorCode): OperatorErrorEntry {
  return all[code];
}

/** Messages of shared codes that would mislead an operator. */
export const operatorMessages: Partial<Record<AnyErrorCode, string>> = {
  idempotency_key_missing:
    'Send an Idempotency-Key header with every write request: a new value for each new request, the same value when you repeat one.',
  idempotency_key_reused:
    'This Idempotency-Key was already used for this path with a different body. Repeat the original body unchanged, or use a new key.',
  invalid_api_key:
    'The operator key is missing or not valid. Send "Authorization: Bearer <operator key>"; "npm run admin -- operator-key create" creates one.',
  insufficient_credits: 'The account does not have that many credits: nothing was removed.',
  key_limit_reached:
    'This operator key has moved as many credits today as OPERATOR_CREDITS_PER_DAY allows: nothing was done. Wait for the next day (UTC), or raise the setting.',
  account_suspended: 'The account is suspended: resume it first.',
  generation_not_found: 'There is no generation with this ID.',
  input_host_not_approved:
    'The host of an input URL is not approved for any key of the account. Approve it, or use an approved host.',
  model_not_found: 'This model does not exist here or has no route.',
  not_found: 'There is nothing at this address. Check the path; all paths begin with /operator/v1.',
};
