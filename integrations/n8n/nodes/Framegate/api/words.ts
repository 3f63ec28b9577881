import { labels, modeNames, parameterLabels, roleNames } from '../fields/labels';
import {
  type ErrorCode,
  errorCodes,
  type FailureCode,
  failureCodes,
  namesWrongFile,
} from '../generated/contract';

/* The API addresses programmers. This page says the same to people who see fields instead of requests. */

/** A refusal or a failure in n8n's two parts. */
export interface Explanation {
  happened: string;
  /** Advice. */
  advice: string;
}

const explain = (happened: string, advice: string): Explanation => ({ happened, advice });

const keysPage = "your account's API keys page";
const onOurSide = explain('The service had an internal error', 'Run the node again.');
const wrongAddress = explain(
  'Framegate was not found at this address',
  `Open Credentials and copy the Base URL again, from ${keysPage}. It ends in /v1.`,
);
const unreadable = explain(
  'The service does not accept this request',
  'Open Settings > Community nodes and update this node. If that does not help, contact support.',
);

const refusals: Readonly<Record<ErrorCode, Explanation>> = {
  invalid_json: unreadable,
  invalid_request: explain(
    'The service does not accept these values',
    'Correct the fields of this node.',
  ),
  idempotency_key_missing: unreadable,
  idempotency_key_invalid: explain(
    'The Idempotency Key is not valid',
    'Open Options and enter 1 to 255 letters, digits and symbols, without spaces.',
  ),
  input_url_invalid: explain(
    'The URL of an input is not valid',
    'Open Inputs and enter a public https address with a host name, of at most 2,048 characters.',
  ),
  invalid_api_key: explain(
    'The API key is missing or not valid',
    `Open Credentials and put a valid key into the Framegate credential; keys are created on ${keysPage}.`,
  ),
  insufficient_credits: explain(
    'There are not enough credits',
    'Add credits to your account, or choose a lower resolution, a shorter duration or fewer images.',
  ),
  price_above_limit: explain(
    'This generation costs more than Maximum Credits',
    'Nothing was charged. Open Options and raise Maximum Credits, or choose a lower resolution, a shorter duration or fewer images.',
  ),
  key_limit_reached: explain(
    'This API key or team member has reached a credit limit',
    `Raise the limit on ${keysPage}, or wait for the next day or month (UTC).`,
  ),
  account_suspended: explain('This account is suspended', 'Contact support.'),
  input_host_not_approved: explain(
    'The host of an input URL is not approved for this API key',
    `Request the host on ${keysPage}, or use an approved one.`,
  ),
  generation_not_found: explain(
    'There is no generation with this ID in your account',
    'Open Generation and use the field "id" from the output of a Create operation. Open Credentials and choose the one that created it.',
  ),
  model_not_found: explain(
    'This model does not exist here or is not enabled for your key',
    'Open Model and choose one from the list.',
  ),
  not_found: wrongAddress,
  method_not_allowed: wrongAddress,
  body_too_large: explain(
    'The request is too large',
    'Shorten the prompt or use fewer inputs. Under Inputs, enter the URL of a file, never its content.',
  ),
  unsupported_media_type: unreadable,
  idempotency_key_reused: explain(
    'This Idempotency Key was already used for another request',
    'Open Options and give each item its own key, and a new one when you change the item; or remove Idempotency Key. Keys are kept for 7 days.',
  ),
  consent_required: explain(
    "Real-Person Mode requires the person's consent",
    'Turn on Rights Confirmed and fill in Consent Reference.',
  ),
  real_person_not_allowed: explain(
    'Real-Person Mode is not available for this model and mode',
    'Choose another model or mode, or turn off Real-Person Mode.',
  ),
  content_policy_violation: explain(
    'The request violates the content rules',
    'Change the prompt or the inputs.',
  ),
  rate_limited: explain(
    'Too many requests',
    'The node reached its wait limit. Run it again later, or with fewer items at a time.',
  ),
  concurrency_limited: explain(
    'This account has too many generations in progress',
    'The node reached its wait limit. Run it again when some of them have ended.',
  ),
  internal_error: onOurSide,
  model_unavailable: explain(
    'This model is currently unavailable',
    'Nothing was charged. Try again later or use another model.',
  ),
  service_unavailable: explain('The service is temporarily unavailable', 'Run the node again.'),
  clock_wrong: explain(
    'The service is not accepting new generations right now',
    'Run the node again in a minute.',
  ),
};

const failures: Readonly<Record<FailureCode, Explanation>> = {
  input_unreachable: explain(
    'An input could not be downloaded from its URL',
    'Make sure that the URL opens the file itself, without a sign-in or a redirect.',
  ),
  input_invalid: explain(
    'An input file has the wrong type, size or length for this model',
    'Use another file or another model. Model > Get Many lists what each model accepts.',
  ),
  input_rejected: explain(
    'The safety check rejected the prompt or an input',
    'Change the prompt or the input.',
  ),
  output_rejected: explain(
    'The safety check withheld the result',
    'Change the prompt or the inputs.',
  ),
  real_person_rejected: explain(
    "An input was rejected because it seems to show a real person's face",
    'Use another input, or turn on Real-Person Mode if the model offers it.',
  ),
  capacity_exceeded: explain('The generation could not be started in time', ''),
  generation_timeout: explain('The generation did not finish in time', ''),
  generation_failed: explain('The generation failed', ''),
  internal_error: explain('The service had an internal error', ''),
};

/** Signs of a URL that means the machine, or the container, that the request comes from. */
const loopback = /localhost|127\.0\.0\.1|::1/;

/** No response at all. @param reason The network's error, if there is one. */
export function unreachable(reason = ''): Explanation {
  const docker =
    ' In Docker, localhost is the container of n8n itself: enter host.docker.internal, or the name of the other container.';
  const advice = `Open Credentials and check the Base URL, then the network of n8n.${loopback.test(reason) ? docker : ''}`;
  return explain('The service could not be reached', `${advice} (${reason || 'no response'})`);
}

/** A response from something other than the API. */
export function foreignResponse(status: number): Explanation {
  if (status >= 200 && status < 300) {
    return explain(
      `Something other than the service responded (HTTP status ${status})`,
      'A proxy or a sign-in page is in the way, or the Base URL is wrong: open Credentials and check that it ends in /v1.',
    );
  }
  const again =
    status >= 500 ? 'Run the node again in a minute. If that does not help, open' : 'Open';
  return explain(
    `The service responded with HTTP status ${status}`,
    `${again} Credentials and check that the Base URL ends in /v1.`,
  );
}

/** A refusal of the API. @param message The API's own sentence, for an unknown code. */
export function describeRefusal(code: string | undefined, message: string): Explanation {
  if (code !== undefined && Object.hasOwn(errorCodes, code)) return refusals[code as ErrorCode];
  return firstSentence(inEditorWords(message));
}

/**
 * The failure of a generation.
 * @param message The API's own sentence, for an unknown code or a file of the wrong kind.
 */
export function describeFailure(code: string | undefined, message: string): Explanation {
  if (namesWrongFile(message)) {
    const [is = '', send = ''] = message.split(': ');
    return explain(is, `S${send.slice(1)}`);
  }
  if (code !== undefined && Object.hasOwn(failureCodes, code)) return failures[code as FailureCode];
  return firstSentence(inEditorWords(message));
}

function firstSentence(text: string): Explanation {
  const end = text.search(/\. [A-Z]/);
  if (end < 0) return explain(text.replace(/\.$/, ''), '');
  return explain(text.slice(0, end), text.slice(end + 2));
}

/** The editor's name for a field of the API, such as "Inputs, entry 2: URL" for `inputs[1].url`. */
export function labelOf(param: string): string {
  const [, entry, part] = /^inputs\[(\d+)\](?:\.(\w+))?$/.exec(param) ?? [];
  if (entry !== undefined) {
    const place = `${labels.inputs}, entry ${Number(entry) + 1}`;
    return part === undefined ? place : `${place}: ${fieldNames[part] ?? part}`;
  }
  const name = param.replace(/^(parameters|compliance)\./, '');
  return fieldNames[name] ?? name;
}

const fieldNames: Readonly<Record<string, string>> = {
  ...parameterLabels,
  body: 'Values',
  compliance: labels.realPersonMode,
  consent_reference: labels.consentReference,
  inputs: labels.inputs,
  mode: labels.mode,
  model: labels.model,
  parameters: 'Parameters',
  prompt: labels.prompt,
  rights_confirmed: labels.rightsConfirmed,
  role: labels.role,
  type: labels.type,
  url: labels.url,
};

/** Phrases of the API about requests. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/with the role /g, 'used as '],
  [/takes the role /g, 'takes inputs used as '],
  [/inputs of type (\w+)/g, 'inputs of the type $1'],
  [/or send false/g, 'or switch it off'],
  [
    /Send compliance only together with [^ ]+ true\./g,
    'Rights Confirmed and Consent Reference are only used with Real-Person Mode.',
  ],
  [/Send one /g, 'Use one '],
  [/GET \/models lists/g, 'Model > Get Many lists'],
  [/GET \/models/g, 'Model > Get Many'],
  [/(?:parameters|compliance)\.(\w+)/g, '$1'],
];

/** A sentence of the API with the editor's names of fields, modes and places. */
export function inEditorWords(text: string): string {
  const plain = phrases.reduce((words, [phrase, instead]) => words.replace(phrase, instead), text);
  return plain.replace(/[a-z]+(?:[-_][a-z]+)+/g, (word) => names[word] ?? word);
}

const names: Readonly<Record<string, string>> = { ...fieldNames, ...modeNames, ...roleNames };
