import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { loadSource, shownOf } from './support/loadSource.ts';

const key = `fg_live_${'x'.repeat(38)}`;

describe('a base URL', () => {
  let parseBaseUrl: (text: unknown) => string;
  beforeAll(async () => {
    ({ parseBaseUrl } = await loadSource<{ parseBaseUrl: typeof parseBaseUrl }>(
      'nodes/Framegate/api/baseUrl.ts',
    ));
  });

  test.each([
    'https://media.example.com',
    'http://localhost:3000/v1',
    'http://127.0.0.1:3000',
    'http://[::1]:3000/v1/',
    'http://10.1.2.3',
    'http://172.20.0.4:8080',
    'http://192.168.1.9',
    'http://framegate:3000',
    'http://host.docker.internal:3000',
    'http://media.lan',
  ])('%s is good', (text) => {
    expect(parseBaseUrl(` ${text} `)).toBe(`${text.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`);
  });

  test.each([
    'http://media.example.com/v1',
    'http://8.8.8.8/v1',
    'http://172.32.0.1/v1',
    'http://localhost.example.com/v1',
    'http://10.example.com/v1',
    'http://[2001:db8::1]/v1',
    'http://134744072/v1',
  ])('%s would expose the key', (text) => {
    expect(() => parseBaseUrl(text)).toThrow(/must begin with https/);
  });

  test.each(['', undefined, ' /'])('%p is missing', (text) => {
    expect(() => parseBaseUrl(text)).toThrow('The base URL is missing.');
  });

  test.each(['media', 'ftp://media.example.com', 'https://', 'https://a b/v1'])(
    '%p is not a valid URL',
    (text) => {
      expect(() => parseBaseUrl(text)).toThrow(/not a valid URL/);
    },
  );

  test('is checked before the key is added to any request', async () => {
    const { FramegateApi } = await loadSource<{
      FramegateApi: new () => {
        authenticate: (credentials: object, request: object) => Promise<object>;
      };
    }>('credentials/FramegateApi.credentials.ts');
    const { authenticate } = new FramegateApi();
    const request = { url: '/credits/balance', headers: { accept: 'application/json' } };
    const send = (baseUrl: string) => authenticate({ baseUrl, apiKey: key }, request);
    await expect(send('http://media.example.com/v1')).rejects.toThrow(/https/);
    expect(await send('https://media.example.com/v1')).toEqual({
      ...request,
      headers: { accept: 'application/json', Authorization: `Bearer ${key}` },
    });
    const elsewhere = (more: object) =>
      authenticate({ baseUrl: 'https://media.example.com', apiKey: key }, more);
    for (const more of [
      { url: 'https://other.example.com/v1' },
      { uri: 'https://media.example.com.other.example.com/v1' },
      { url: '//other.example.com/v1' },
      { url: '/credits/balance', baseURL: 'https://other.example.com/v1' },
    ]) {
      await expect(elsewhere(more)).rejects.toThrow(/to its Base URL, not to https:/);
    }
    const own = { uri: 'https://media.example.com/v1/models' };
    expect(await elsewhere(own)).toMatchObject({ headers: { Authorization: `Bearer ${key}` } });
  });
});

describe('a wait', () => {
  test('never accepts an invalid time: a loop would not rest', async () => {
    const { pause } = await loadSource<{ pause: (seconds: number) => Promise<void> }>(
      'nodes/Framegate/waiting/pause.ts',
    );
    for (const seconds of [NaN, -1, Infinity]) {
      await expect(pause(seconds)).rejects.toThrow(RangeError);
    }
    await pause(0);
  });

  test('takes the hint unchanged, and ignores an invalid one', async () => {
    const { retryAfterSeconds, secondsOf } = await loadSource<{
      retryAfterSeconds: (response: object) => number | undefined;
      secondsOf: (value: unknown) => number | undefined;
    }>('nodes/Framegate/api/retryAfter.ts');
    const after = (text: string) => retryAfterSeconds({ headers: { 'retry-after': text } });
    expect(['0', '1', '3600'].map(after)).toEqual([0, 1, 3600]);
    expect(['', 'soon', '-1', 'Infinity'].map(after)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect([2, 0.5, '2', null, NaN].map(secondsOf)).toEqual([
      2,
      0.5,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('a create that stays unanswered', () => {
  const order = { path: '/videos', body: { model: 'alpha-2.0-mini', prompt: 'a boat' } };

  /** The error after these responses, one per attempt; a passed deadline leaves no time for another. */
  async function shownAfter(deadline: number, ...responses: (object | Error)[]): Promise<string> {
    const { sendCreate } = await loadSource<{
      sendCreate: (context: object, order: object, plan: object) => Promise<unknown>;
    }>('nodes/Framegate/actions/sendCreate.ts');
    const context = {
      getNode: () => ({ name: 'Framegate' }),
      getCredentials: async () => ({ baseUrl: 'https://media.example.com/v1', apiKey: key }),
      helpers: {
        httpRequestWithAuthentication: jest.fn(async () => {
          const response = responses.length > 1 ? responses.shift() : responses[0];
          if (response instanceof Error) throw response;
          return { headers: { 'retry-after': '0' }, body: {}, ...response };
        }),
      },
    };
    const plan = { idempotencyKey: 'key-1', itemIndex: 0, deadline };
    const error = await sendCreate(context, order, plan).then(
      () => undefined,
      (e: unknown) => e,
    );
    const { message, description } = shownOf(error);
    return `${message}. ${description}`;
  }

  const failure = (code: string) =>
    Object.assign(new Error('wrapped'), { cause: Object.assign(new Error(code), { code }) });

  test.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CERT_HAS_EXPIRED'])(
    'without a connection (%s) has created nothing, and reports this',
    async (code) => {
      expect(await shownAfter(0, failure(code))).toMatch(
        /could not be reached.*Nothing was created/,
      );
      expect(await shownAfter(0, failure(code))).not.toContain('may have been created');
    },
  );

  test('after it was sent may have created a generation, and names the key', async () => {
    expect(await shownAfter(0, failure('ECONNRESET'))).toMatch(/may have been created.*key-1/);
    const lost = { statusCode: 500 };
    expect(await shownAfter(Infinity, lost, { statusCode: 401 })).toMatch(
      /may have been created.*key-1/,
    );
    const poor = { statusCode: 402, body: { error: { code: 'insufficient_credits' } } };
    expect(await shownAfter(Infinity, lost, poor)).not.toContain('may have been created');
    // A response without a code is not the API's, and says nothing about the first attempt.
    expect(await shownAfter(Infinity, lost, { statusCode: 402 })).toContain(
      'may have been created',
    );
  });
});
