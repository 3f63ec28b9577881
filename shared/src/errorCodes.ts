/**
 * Error types, for callers that do not distinguish codes: `invalid_request_error` the request must be changed;
 * `authentication_error` the key is invalid; `billing_error` credits or the key's limit are insufficient;
 * `permission_error` not allowed for this account or key; `not_found_error` does not exist for this key;
 * `idempotency_error` problem with the Idempotency-Key; `rate_limit_error` too many requests; `content_policy_error`
 * problem with the content or its consent; `api_error` problem of the service.
 */
export const errorTypes = [
  'invalid_request_error',
  'authentication_error',
  'billing_error',
  'permission_error',
  'not_found_error',
  'idempotency_error',
  'rate_limit_error',
  'content_policy_error',
  'api_error',
] as const;
/** The type of an error. */
export type ErrorType = (typeof errorTypes)[number];

/** An entry of the error catalogue. */
export interface ErrorEntry {
  /** HTTP status. */
  status: number;
  type: ErrorType;
  /** Whether the same request may succeed later. */
  retryable: boolean;
  /** Explanation and remedy, safe for any caller. */
  message: string;
}

/** All codes of refused requests. */
export const errorCodes = {
  invalid_json: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The body is not valid JSON. Send one JSON object in UTF-8.',
  },
  invalid_request: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The request is not valid. Correct the fields listed in details and send it again.',
  },
  idempotency_key_missing: {
    status: 400,
    type: 'idempotency_error',
    retryable: false,
    message:
      'Send an Idempotency-Key header with every create request: a new value for each new generation, the same value when you repeat a request.',
  },
  idempotency_key_invalid: {
    status: 400,
    type: 'idempotency_error',
    retryable: false,
    message: 'The Idempotency-Key must be 1 to 255 visible ASCII characters without spaces.',
  },
  input_url_invalid: {
    status: 400,
    type: 'invalid_request_error',
    retryable: false,
    message:
      'An input URL is not allowed. Use a public https URL with a host name, at most 2,048 characters long.',
  },
  invalid_api_key: {
    status: 401,
    type: 'authentication_error',
    retryable: false,
    message:
      'The API key is missing or not valid. Send "Authorization: Bearer <API key>" with a key from your account settings.',
  },
  insufficient_credits: {
    status: 402,
    type: 'billing_error',
    retryable: false,
    message:
      'There are not enough credits for this generation. Add credits or choose a cheaper setting.',
  },
  key_limit_reached: {
    status: 402,
    type: 'billing_error',
    retryable: false,
    message:
      'This API key or team member has reached a credit limit. Raise the limit in your account settings, or wait for the next day or month (UTC).',
  },
  price_above_limit: {
    status: 402,
    type: 'billing_error',
    retryable: false,
    message:
      'This generation costs more than the limit sent with the request. Nothing was charged. Choose a cheaper setting, or raise the limit.',
  },
  account_suspended: {
    status: 403,
    type: 'permission_error',
    retryable: false,
    message: 'This account is suspended. Contact support.',
  },
  input_host_not_approved: {
    status: 403,
    type: 'permission_error',
    retryable: false,
    message:
      'The host of an input URL is not approved for this API key. Request approval in your account settings, or use an approved host.',
  },
  generation_not_found: {
    status: 404,
    type: 'not_found_error',
    retryable: false,
    message: 'No generation with this ID exists in your account. Check the ID.',
  },
  model_not_found: {
    status: 404,
    type: 'not_found_error',
    retryable: false,
    message:
      'This model does not exist or is not enabled for your key. GET /models lists the models you can use.',
  },
  not_found: {
    status: 404,
    type: 'not_found_error',
    retryable: false,
    message: 'There is nothing at this address. Check the path; all paths begin with /v1.',
  },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request_error',
    retryable: false,
    message:
      'This path does not support this method. The Allow header lists the supported methods.',
  },
  body_too_large: {
    status: 413,
    type: 'invalid_request_error',
    retryable: false,
    message: 'The body is larger than 256 KiB. Pass media as URLs in inputs, not in the body.',
  },
  unsupported_media_type: {
    status: 415,
    type: 'invalid_request_error',
    retryable: false,
    message: 'Send the body as JSON with the header "Content-Type: application/json".',
  },
  idempotency_key_reused: {
    status: 422,
    type: 'idempotency_error',
    retryable: false,
    message:
      'This Idempotency-Key was already used with a different body. Repeat the original body unchanged, or use a new key for a new generation.',
  },
  consent_required: {
    status: 422,
    type: 'content_policy_error',
    retryable: false,
    message:
      'Real-person mode requires compliance.rights_confirmed: true and compliance.consent_reference, your own reference for the consent.',
  },
  real_person_not_allowed: {
    status: 422,
    type: 'content_policy_error',
    retryable: false,
    message:
      'Real-person mode is not available for this model and mode. GET /models lists real_person_modes for each model.',
  },
  content_policy_violation: {
    status: 422,
    type: 'content_policy_error',
    retryable: false,
    message: 'The request violates the content rules. Change the prompt or the inputs.',
  },
  rate_limited: {
    status: 429,
    type: 'rate_limit_error',
    retryable: true,
    message: 'Too many requests. Wait the number of seconds in Retry-After, then try again.',
  },
  concurrency_limited: {
    status: 429,
    type: 'rate_limit_error',
    retryable: true,
    message:
      'This account has too many generations running or waiting. Wait until some have finished, then try again.',
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    retryable: true,
    message:
      'Something went wrong on our end. Send the same request again; with the same Idempotency-Key, you are never charged twice.',
  },
  model_unavailable: {
    status: 503,
    type: 'api_error',
    retryable: true,
    message:
      'This model is not available right now. Nothing was charged. Try again later or use another model.',
  },
  service_unavailable: {
    status: 503,
    type: 'api_error',
    retryable: true,
    message:
      'The service is temporarily unavailable. Wait the number of seconds in Retry-After, then send the same request again, with the same Idempotency-Key if it creates something.',
  },
  clock_wrong: {
    status: 503,
    type: 'api_error',
    retryable: true,
    message:
      "Our servers' clocks disagree, so we cannot accept new requests right now. Wait the number of seconds in Retry-After, then send the same request again, with the same Idempotency-Key.",
  },
} as const satisfies Record<string, ErrorEntry>;
/** The code of a refused request. */
export type ErrorCode = keyof typeof errorCodes;
