import type { ErrorCode, FailureCode } from './generated/contract.ts';

/* The API's catalogue addresses programmers. These sentences address a person in Zapier. */

const appFaultAdvice =
  'Contact support with the time of this run: this app is not compatible with the service.';
const later = 'Replay this run later from the Zap history.';
const whereKeysAre = "on your account's API keys page";

/** The meaning of each refusal in Zapier, with advice. */
export const refusalSentences: Readonly<Record<ErrorCode, string>> = {
  invalid_json: `The service cannot read this request. ${appFaultAdvice}`,
  invalid_request: 'These values are not accepted.',
  idempotency_key_missing: `The service cannot read this request. ${appFaultAdvice}`,
  idempotency_key_invalid: `The service cannot read this request. ${appFaultAdvice}`,
  input_url_invalid:
    'The URL of an input is not valid. Use a public https URL with a host name, without a user name or "#".',
  invalid_api_key: `The API key is not valid. Open App Connections in Zapier and reconnect this account with a key that you create ${whereKeysAre}.`,
  insufficient_credits: `There are not enough credits. Nothing was charged. Add credits, then replay this step.`,
  key_limit_reached: `This API key or team member has reached a credit limit. Raise the limit ${whereKeysAre}, or replay this run on the next day or, after a monthly limit, in the next month (UTC).`,
  price_above_limit:
    'This costs more than Maximum Credits. Nothing was charged. Raise Maximum Credits in this step, or choose a lower resolution, a shorter duration or fewer images.',
  account_suspended: 'This account is suspended. Contact support.',
  input_host_not_approved: `The host of an input URL is not approved for this API key. Request it ${whereKeysAre}, or map the URL of a file on an approved host.`,
  generation_not_found:
    'There is no generation with this ID in your account. Map the Generation ID from an earlier step, and choose the connection that created it.',
  model_not_found:
    'This model does not exist or is not enabled for your API key. Choose another model.',
  not_found:
    'Framegate was not found at this address. Open App Connections in Zapier and reconnect this account with the Base URL of your account.',
  method_not_allowed: `The service does not accept this request. ${appFaultAdvice}`,
  body_too_large:
    'The request is too large. Shorten the prompt, use fewer inputs, and map the URLs of files, never their contents.',
  unsupported_media_type: `The service cannot read this request. ${appFaultAdvice}`,
  idempotency_key_reused:
    'This Request Key was already used with other values. Map a value that differs for each run to Request Key, then replay this step.',
  consent_required:
    'Real-person mode needs Rights Confirmed and a Consent Reference. Fill in both fields.',
  real_person_not_allowed:
    'Real-person mode is not available for this model and mode. Choose another model or mode, or set Real-Person Mode to no.',
  content_policy_violation:
    'The request violates the content rules. Change the prompt or the inputs.',
  rate_limited: `There are too many requests right now. ${later}`,
  concurrency_limited: `This account has too many generations in progress. ${later}`,
  internal_error: `The service had an internal error. ${later}`,
  model_unavailable:
    'This model is currently unavailable. Nothing was charged. Choose another model, or replay this run later.',
  service_unavailable: `The service is temporarily unavailable. ${later}`,
  clock_wrong: `The service is not accepting new generations right now. ${later}`,
};

/** The reason of each failure, with advice for Zapier. */
export const failureSentences: Readonly<Record<FailureCode, string>> = {
  input_unreachable:
    'An input could not be downloaded from its URL. Make sure that the URL opens the file itself, without a sign-in or a redirect, then replay this step.',
  input_invalid:
    'An input file has the wrong type, size or length for this model. Map another file, or choose another model.',
  input_rejected:
    'The safety check rejected the prompt or an input. Change it in this step or at its source.',
  output_rejected:
    'The safety check withheld the result. Change the prompt or the inputs of this step.',
  real_person_rejected:
    "An input was rejected because it seems to show a real person's face. Map another input, or use real-person mode where the model offers it.",
  capacity_exceeded: `The generation could not be started in time. ${later}`,
  generation_timeout: 'The generation did not finish in time. Replay this step.',
  generation_failed:
    'The generation failed. Replay this step; if it fails again, change the prompt or the inputs.',
  internal_error: 'The service had an internal error. Replay this step.',
};
