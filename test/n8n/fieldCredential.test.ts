import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { buildOpenApi } from '../../shared/src/openapi/index.ts';
import {
  contextOf,
  type LightApi,
  parameterTables,
  refusing,
  runLight,
  type Values,
  wholeApi,
} from './support/lightNode.ts';
import { loadSource, shownOf } from './support/loadSource.ts';

/**
 * Problems that users of other nodes report about credentials and lists, tried on this one
 * (sources: integrations/n8n/docs/field.md).
 */

const order = () => parameterTables('video:create', { download: false });

const key = `fg_live_${'x'.repeat(38)}`;

describe('a credential', () => {
  let authenticate: (credential: object, request: object) => Promise<Values>;
  let request: { baseURL: string; url: string };
  beforeAll(async () => {
    const { FramegateApi } = await loadSource<{
      FramegateApi: new () => {
        authenticate: typeof authenticate;
        test: { request: typeof request };
      };
    }>('credentials/FramegateApi.credentials.ts');
    const credential = new FramegateApi();
    authenticate = credential.authenticate;
    request = credential.test.request;
  });

  test.each([key, `  ${key}\n`, `Bearer ${key}`, `"${key}"`, `bearer  "${key}"`])(
    'takes the key as it was pasted: %p',
    async (apiKey) => {
      const signed = await authenticate({ baseUrl: 'https://a.example/v1', apiKey }, { url: '/x' });
      expect(signed['headers']).toEqual({ Authorization: `Bearer ${key}` });
    },
  );

  test.each([
    '',
    '  ',
    undefined,
    `${key.slice(0, 9)} ${key.slice(9)}`,
    key.slice(1),
    `${key}x`,
    '••••••••',
  ])('with the key %p asks to paste it again, before any request', async (apiKey) => {
    const { error, requests } = await runLight([order()], { credential: { apiKey } });
    expect(error).toMatch(
      /^(The API key (is missing|contains spaces or line breaks)|This is not an API key: it must be fg_live_ followed by 38 letters and digits)\. Open Credentials, .*paste/s,
    );
    expect(requests).toEqual([]);
  });

  test.each([
    'https://a.example',
    'https://a.example/',
    ' https://a.example/v1 ',
    'https://a.example/v1//',
    'https://a.example/gateway/v1',
  ])('is tested at the address that the node uses: %p', async (baseUrl) => {
    const { parseBaseUrl } = await loadSource<{ parseBaseUrl: (text: string) => string }>(
      'nodes/Framegate/api/baseUrl.ts',
    );
    const [, expression = ''] = /^=\{\{ (.*) \}\}$/s.exec(request.baseURL) ?? [];
    const tested: unknown = runInNewContext(expression, { $credentials: { baseUrl } });
    expect(tested).toBe(parseBaseUrl(baseUrl));
  });

  test('is tested at an address that the API has', () => {
    expect(buildOpenApi({ baseUrl: 'https://a.example/v1' }).paths).toHaveProperty([
      request.url,
      'get',
    ]);
  });

  test('with an expression that n8n did not resolve is refused by name', async () => {
    const credential = { baseUrl: '={{ $env.FRAMEGATE }}/v1' };
    const { error, requests } = await runLight([order()], { credential });
    expect(error).toMatch(
      /^The base URL is not a valid URL without a user name, "\?" or "#"\. Open Credentials/,
    );
    expect(requests).toEqual([]);
  });
});

describe('a list in the panel', () => {
  type List = (this: object, filter?: string) => Promise<unknown>;
  const lists = async () => {
    const search = await loadSource<Record<string, List>>('nodes/Framegate/searchModels.ts');
    const choices = await loadSource<Record<string, List>>('nodes/Framegate/loadChoices.ts');
    return { ...search, ...choices };
  };
  const panel = (parameters: Values, api: LightApi = wholeApi) =>
    contextOf([{ resource: 'video', ...parameters }], { api }).context;

  test('fills even if the expression of the model yields nothing', async () => {
    const { getResolutions } = await lists();
    for (const model of [undefined, null, '', 'unknown', { __rl: true, value: '' }]) {
      const found = await getResolutions?.call(panel({ model }));
      expect(found).toEqual(expect.arrayContaining([{ name: '720p', value: '720p' }]));
    }
  });

  test('that cannot be filled names the remedy', async () => {
    for (const list of Object.values(await lists())) {
      const api = refusing(401, 'invalid_api_key');
      const failure: unknown = await list.call(panel({}, api)).catch((error: unknown) => error);
      const { message, description } = shownOf(failure);
      expect(message).toBe('The API key is missing or not valid');
      expect(description).toMatch(/^Open Credentials/);
    }
  });
});
