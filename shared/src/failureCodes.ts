import type { ErrorType } from './errorCodes.ts';

/** An entry of the failure catalogue. */
interface FailureEntry {
  type: ErrorType;
  /** Whether a new request with the same body may succeed. */
  retryable: boolean;
  /** Explanation and remedy, safe for any caller. */
  message: string;
}

/** All codes of failed generations, which are always refunded. */
export const failureCodes = {
  input_unreachable: {
    type: 'invalid_request_error',
    retryable: true,
    message:
      'An input could not be downloaded from its URL. Make sure it responds with 200 within 60 seconds, without redirects, then try again.',
  },
  input_invalid: {
    type: 'invalid_request_error',
    retryable: false,
    message:
      'An input file has the wrong type, size or length for this model. Check it against the limits in GET /models.',
  },
  input_rejected: {
    type: 'content_policy_error',
    retryable: false,
    message: 'The prompt or an input was rejected by the safety check. Change it and try again.',
  },
  output_rejected: {
    type: 'content_policy_error',
    retryable: false,
    message:
      'The result was blocked by the safety check. Change the prompt or the inputs and try again.',
  },
  real_person_rejected: {
    type: 'content_policy_error',
    retryable: false,
    message:
      "An input was rejected because it seems to show a real person's face. Use a different input, or real-person mode if the model supports it.",
  },
  capacity_exceeded: {
    type: 'api_error',
    retryable: true,
    message: 'There was no capacity to start this generation in time. Try again later.',
  },
  generation_timeout: {
    type: 'api_error',
    retryable: true,
    message: 'The generation did not finish in time. Try again.',
  },
  generation_failed: {
    type: 'api_error',
    retryable: true,
    message: 'The generation failed. Try again; if it keeps failing, change the request.',
  },
  internal_error: {
    type: 'api_error',
    retryable: true,
    message: 'Something went wrong on our end. Try again.',
  },
} as const satisfies Record<string, FailureEntry>;
/** The code of a failed generation. */
export type FailureCode = keyof typeof failureCodes;

/**
 * Whether a failure's message names the kind of the file at fault (`describeWrongFile`), and so says more than the text
 * of its code.
 */
export const namesWrongFile = (message: string): boolean =>
  /^This is [^\n:]{1,100}: send [^\n:]{1,120}\.$/.test(message);
