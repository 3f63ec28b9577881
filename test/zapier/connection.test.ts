import { describe, expect, test } from '@jest/globals';
import {
  authData,
  type LightApi,
  networkError,
  refusal,
  runLight,
  wholeApi,
} from './support/lightSteps.ts';

/* Messages about a wrong Base URL. */

describe('a connection', () => {
  const invalidUrl = 'The base URL is not a valid URL without a user name, "?" or "#".';
  const plainHttp =
    'The base URL must begin with https://: otherwise others on the network could read the key.';
  const copyIt =
    "Copy it again from your account's API keys page into the connection, under App Connections in Zapier; it ends in /v1.";
  const always =
    (status: number, body: unknown): LightApi =>
    () => [status, body];
  const never =
    (code: string): LightApi =>
    () => {
      throw networkError(code);
    };

  test.each<[string, LightApi, string]>([
    ['a page', always(200, '<html></html>'), `The Base URL does not lead to the API. ${copyIt}`],
    ['nothing there', always(404, 'no'), `The Base URL does not lead to the API. ${copyIt}`],
    [
      'a path too many, such as /v2/v1',
      always(404, refusal('not_found')),
      `The Base URL does not lead to the API. ${copyIt}`,
    ],
    ['a redirect', always(301, ''), `The Base URL redirects to another address. ${copyIt}`],
    ['an unknown host', never('ENOTFOUND'), 'The host name in the Base URL does not exist.'],
    ['a closed port', never('ECONNREFUSED'), 'The server at the Base URL accepts no connections.'],
    ['a foreign certificate', never('CERT_HAS_EXPIRED'), 'so the API key was not sent.'],
    ['a server that is down', always(503, ''), 'The API is currently unavailable. Try again in'],
    ['a slow server', never('ETIMEDOUT'), 'The API is currently unavailable. Try again in'],
    ['a suspended account', always(403, refusal('account_suspended')), 'is suspended.'],
  ])('to %s is reported', async (_case, api, sentence) => {
    const { outcome } = await runLight('test', {}, api);
    expect(outcome).toMatchObject({ message: expect.stringContaining(sentence) });
  });

  test.each([
    [{ base_url: 'api.example.com/v1' }, invalidUrl],
    [{ base_url: 'localhost:8080/v1' }, invalidUrl],
    [{ base_url: 'http://api.example.com/v1' }, plainHttp],
    [
      { base_url: 'https://api.example.com' },
      'The base URL must end in /v1. Did you mean https://api.example.com/v1?',
    ],
    [{ base_url: 'https://exa mple.com/v1' }, invalidUrl],
    [
      { api_key: authData.api_key.slice(1) },
      'This is not an API key: it must be fg_live_ followed by 38 letters and digits.',
    ],
    [
      { api_key: `${authData.api_key}x` },
      'This is not an API key: it must be fg_live_ followed by 38 letters and digits.',
    ],
    [
      { api_key: authData.api_key.replace('_live', ' live') },
      'The API key contains spaces or line breaks.',
    ],
    [{ api_key: ' ' }, 'The API key is missing.'],
    [{ base_url: '' }, 'The base URL is missing.'],
  ])('with %j says so without a request', async (changed, sentence) => {
    const around = { authData: { ...authData, ...changed } };
    const { outcome, requests } = await runLight('test', {}, wholeApi, around);
    const remedy =
      'api_key' in changed
        ? "Copy it from your account's API keys page into the connection, under App Connections in Zapier."
        : "Your account's API keys page shows it.";
    expect(outcome).toMatchObject({ message: `${sentence} ${remedy}` });
    expect(requests).toEqual([]);
  });
});
