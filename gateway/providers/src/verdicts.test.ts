import { describe, expect, test } from '@jest/globals';
import { testedPackages } from './aiSdk/dialects.ts';
import { arkDialect } from './modelArk/modelArk.ts';
import { parseErrorResponse } from './providerFailures.ts';
import { interpretResponse, type Verdict, verdicts } from './verdicts.ts';

const rulesOf = (name: string) => {
  if (name === 'ark') return arkDialect.defaultRules;
  return testedPackages[`@ai-sdk/${name}`]?.dialect.defaultRules ?? [];
};

const error = (message: string, code?: string | number, more?: object) => ({
  error: { message, ...(code !== undefined && { code }), ...more },
});

/** Responses of providers, as documented or reported, and their verdicts. The empty name is a provider without rows. */
const table: [string, number, object | string, Verdict][] = [
  [
    'google',
    400,
    error('API key not valid. Please pass a valid API key.', 400, {
      status: 'INVALID_ARGUMENT',
      details: [{ reason: 'API_KEY_INVALID', domain: 'googleapis.com' }],
    }),
    'key',
  ],
  ['google', 400, error('API key expired. Please renew the API key.', 400), 'key'],
  ['google', 403, error('Your API key was reported as leaked.', 403), 'key'],
  ['google', 400, error('User location is not supported for the API use.', 400), 'region'],
  ['google', 403, error('Your project has been denied access.', 403), 'account'],
  ['google', 429, error('Your prepayment credits are depleted.', 429), 'account'],
  [
    'google',
    429,
    error('You exceeded your current quota. Limit: 5, model: x. Please retry in 46s.', 429),
    'busy',
  ],
  ['google', 429, error('You exceeded your current quota. limit: 0, model: x', 429), 'account'],
  ['google', 404, error('models/veo-9 is not found for API version v1beta', 404), 'model_gone'],
  ['google', 400, error('Invalid value at aspect_ratio', 400), 'not_accepted'],
  ['google-vertex', 429, error('Resource exhausted, please try again later.', 429), 'busy'],
  ['google-vertex', 403, error('This API method requires billing to be enabled.', 403), 'account'],
  [
    'google-vertex',
    404,
    error('Publisher Model `projects/p/models/veo-9` was not found', 404),
    'model_gone',
  ],
  [
    'xai',
    400,
    {
      code: 'Client specified an invalid argument',
      error: 'Incorrect API key provided: xa***ef. You can obtain an API key from the console.',
    },
    'key',
  ],
  [
    'xai',
    429,
    'Your team x has either used all available credits or reached its monthly spending limit.',
    'account',
  ],
  ['openai', 429, error('You exceeded your current quota.', 'insufficient_quota'), 'account'],
  ['openai', 429, error('Rate limit reached for gpt-image-2.', 'rate_limit_exceeded'), 'busy'],
  [
    'openai',
    400,
    error('Billing hard limit has been reached', 'billing_hard_limit_reached'),
    'account',
  ],
  ['openai', 401, error('Incorrect API key provided: sk-***.', 'invalid_api_key'), 'key'],
  [
    'openai',
    403,
    error('Country, region, or territory not supported', 'unsupported_country_region_territory'),
    'region',
  ],
  ['openai', 404, error('The model does not exist', 'model_not_found'), 'model_gone'],
  [
    'openai',
    403,
    error('Your organization must be verified to use the model `gpt-image-2`.'),
    'key',
  ],
  ['openai', 400, error('Unknown parameter: x', 'unknown_parameter'), 'not_accepted'],
  ['openai', 400, error('Rejected by our safety system', 'moderation_blocked'), 'content'],
  [
    'alibaba',
    400,
    {
      code: 'Arrearage',
      message: 'Access denied, please make sure your account is in good standing.',
    },
    'account',
  ],
  ['alibaba', 401, { code: 'InvalidApiKey', message: 'Invalid API-key provided.' }, 'key'],
  ['alibaba', 403, { code: 'AccessDenied.Unpurchased', message: 'Access denied.' }, 'account'],
  ['alibaba', 403, { code: 'Model.AccessDenied', message: 'Model access denied.' }, 'model_gone'],
  ['alibaba', 404, { code: 'ModelNotFound', message: 'Model can not be found.' }, 'model_gone'],
  [
    'alibaba',
    429,
    { code: 'Throttling.AllocationQuota', message: 'Allocated quota exceeded.' },
    'busy',
  ],
  ['alibaba', 400, { code: 'DataInspectionFailed', message: 'No.' }, 'content'],
  ['ark', 401, error('The API key in the request is missing.', 'AuthenticationError'), 'key'],
  ['ark', 403, error('Overdue.', 'AccountOverdueError'), 'account'],
  ['ark', 404, error('Not activated.', 'ModelNotOpen'), 'model_gone'],
  ['ark', 400, error('Closed.', 'InvalidEndpoint.ClosedEndpoint'), 'model_gone'],
  ['ark', 429, error('Later.', 'QuotaExceeded'), 'busy'],
  ['ark', 503, error('Later.', 'ServerOverloaded'), 'busy'],
  ['fal', 403, { detail: 'User is locked. Reason: Exhausted balance. Top up.' }, 'account'],
  ['fal', 403, { detail: 'User is locked. Reason: TOP_UP.' }, 'account'],
  ['fal', 403, { detail: 'Access denied' }, 'key'],
  ['replicate', 402, { title: 'Insufficient credit', detail: 'You have no credit.' }, 'account'],
  ['replicate', 401, { title: 'Unauthenticated', detail: 'No valid token.' }, 'key'],
  ['replicate', 429, { detail: 'Request was throttled. Resets in ~30s.' }, 'busy'],
  ['black-forest-labs', 402, { detail: 'Insufficient credits' }, 'account'],
  ['black-forest-labs', 403, { detail: 'Not authenticated' }, 'key'],
  ['fireworks', 412, error('Account x is suspended, possibly due to a spending limit'), 'account'],
  ['', 400, error('Invalid API key'), 'key'],
  ['', 400, { message: 'missing access token' }, 'key'],
  ['', 403, { detail: 'Authentication failed' }, 'key'],
  ['', 400, { code: 'BILLING_BALANCE_NOT_ENOUGH', message: 'Insufficient balance' }, 'account'],
  ['', 400, error('Your credit balance is too low to access the API'), 'account'],
  ['', 200, { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }, 'account'],
  ['', 403, error('This service is not available in your country.'), 'region'],
  ['', 451, error('Your region is not supported'), 'region'],
  ['', 410, error('model is shut down'), 'model_gone'],
  ['', 400, error('The model veo-2.0 has been deprecated. Use another.'), 'model_gone'],
  ['', 400, error("The model 'gpt-image-3' does not exist"), 'model_gone'],
  ['', 400, error('Unknown model: x'), 'model_gone'],
  ['', 403, error('Too many requests'), 'busy'],
  ['', 400, error('The model could not read it: image not found'), 'not_accepted'],
  ['', 400, error('Failed to download the image: authentication required'), 'not_accepted'],
  ['', 400, error('The mask region is not supported'), 'not_accepted'],
  ['', 400, error('Missing image token in the prompt'), 'not_accepted'],
  ['', 429, error('Content moderation is slow: rate limit exceeded'), 'busy'],
  ['', 401, error('Blocked by our usage guidelines'), 'key'],
  ['', 503, error('Insufficient balance'), 'unknown'],
  ['', 409, error('Conflict'), 'unknown'],
];

describe('a response', () => {
  test.each(table)('of %s with %i %j is %s', (name, status, body, expected) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const rules = { operatorRules: [], defaultRules: rulesOf(name) };
    expect(
      interpretResponse(parseErrorResponse({ status, body: text }), 'submit', rules).verdict,
    ).toBe(expected);
  });

  test.each(verdicts)("is %s if the operator's rule says so, with any status", (code) => {
    const rules = { operatorRules: [{ match: 'zugang', code }], defaultRules: rulesOf('openai') };
    for (const status of [200, 400, 429, 500, 503]) {
      const body = JSON.stringify(error('Zugang: insufficient_quota'));
      expect(interpretResponse(parseErrorResponse({ status, body }), 'submit', rules).verdict).toBe(
        code,
      );
    }
  });
});
