import { beforeAll, describe, expect, test } from '@jest/globals';
import { sum } from '@framegate/contract';
import {
  AbortError,
  ConnectionError,
  Framegate,
  NotFoundError,
  RateLimitError,
  ServiceError,
  UnexpectedResponseError,
} from '../../../integrations/typescript/src/node/index.ts';
import { freePort } from '../../support/freePort.ts';
import { hurriedPlatform } from './hurriedPlatform.ts';
import { type ClientTests, failureOf, useClient, video, videoCredits } from './useClient.ts';

const tests = useClient();
let { world, account, connect, creates, keysSent, spentBy } = {} as ClientTests;
beforeAll(() => {
  ({ world, account, connect, creates, keysSent, spentBy } = tests());
});

describe('trouble on the way of a create', () => {
  test('a permanent 500 ends with the key to continue with', async () => {
    const { framegate, waits } = connect();
    const disturbance = { method: 'POST', path: '/videos', times: 1000 };
    const refusal = (await account.get('/v1/nowhere')).json['error'] as object;
    const error = { ...refusal, type: 'api_error', code: 'internal_error', retryable: true };
    world.line.disturb({
      ...disturbance,
      forwarded: true,
      response: { status: 500, body: { error } },
    });
    let thrown: ServiceError | undefined;
    const spent = await spentBy(async () => {
      thrown = await failureOf(framegate.videos.create(video), ServiceError);
      world.line.reset();
      const { idempotencyKey } = thrown;
      await framegate.videos.create(video, { idempotencyKey });
    });
    expect(spent).toBe(videoCredits);
    expect(thrown).toMatchObject({ code: 'internal_error', mayHaveCreated: true });
    expect(thrown?.message).toContain(`idempotencyKey '${thrown?.idempotencyKey}'`);
    expect(Math.max(...waits)).toBe(30_000);
    expect(sum(waits)).toBeLessThanOrEqual(120_000);
  });

  test('429 for an hour ends a create within its budget; nothing was made', async () => {
    const { framegate, waits } = connect();
    const response = { status: 429, headers: { 'retry-after': '30' }, body: await limited() };
    world.line.disturb({ method: 'POST', path: '/videos', times: 1000, response });
    const error = await failureOf(framegate.videos.create(video), RateLimitError);
    expect(error.mayHaveCreated).toBe(false);
    expect(error.requestId).toMatch(/^req_/);
    expect(sum(waits)).toBe(120_000);
  });

  test('createAndWait waits for a slot within its time limit', async () => {
    const { framegate } = connect();
    const response = { status: 429, headers: { 'retry-after': '30' }, body: await limited() };
    world.line.disturb({ method: 'POST', path: '/videos', times: 20, response });
    const done = await framegate.videos.createAndWait(video);
    expect(done.status).toBe('completed');
    expect(creates()).toHaveLength(21);
  });

  test('timeoutMs is for all of createAndWait, its retries included', async () => {
    const { framegate, waits } = connect();
    world.line.disturb({ method: 'POST', path: '/videos', times: 1000, cut: true });
    const call = framegate.videos.createAndWait(video, { timeoutMs: 10_000 });
    expect((await failureOf(call, ConnectionError)).mayHaveCreated).toBe(true);
    expect(waits).toEqual([1000, 2000, 4000]);
  });

  test('a limit leaves the outcome of the earlier attempt open, a refusal of the key settles it', async () => {
    const { framegate } = connect();
    const post = { method: 'POST', path: '/videos' };
    world.line.disturb({ ...post, cut: true, forwarded: true });
    world.line.disturb({ ...post, times: 1000, response: { status: 429, body: await limited() } });
    const options = { idempotencyKey: 'order-3' };
    const unknown = await failureOf(framegate.videos.create(video, options), RateLimitError);
    expect([unknown.mayHaveCreated, unknown.idempotencyKey]).toEqual([true, 'order-3']);
    world.line.reset();
    world.line.disturb({ ...post, cut: true });
    const wrong = framegate.videos.create({ ...video, model: 'alpha-9' });
    expect((await failureOf(wrong, NotFoundError)).mayHaveCreated).toBe(false);
  });

  test('a service that cannot be reached is reported, with the key', async () => {
    const port = await freePort();
    const { framegate } = connect({ baseUrl: `http://127.0.0.1:${port}/v1`, retryBudgetMs: 3000 });
    const error = await failureOf(framegate.videos.create(video), ConnectionError);
    expect(error.message).toContain(`connect ECONNREFUSED 127.0.0.1:${port}`);
    expect(error.idempotencyKey).toBeDefined();
  });

  test('a silent server is given up after the request timeout', async () => {
    const silent = () => new Promise<never>(() => undefined);
    const platform = {
      ...hurriedPlatform(),
      fetch: (_: string, { signal }: RequestInit) =>
        Promise.race([
          silent(),
          new Promise<never>((_resolve, reject) => {
            signal?.addEventListener('abort', () => reject(signal.reason as Error));
          }),
        ]),
    };
    const { apiKey } = account;
    const times = { requestTimeoutMs: 5, retryBudgetMs: 2000 };
    const framegate = new Framegate({ baseUrl: world.baseUrl, apiKey, platform, ...times });
    const error = await failureOf(framegate.models.list(), ConnectionError);
    expect(error.message).toContain('nothing within 0.005 s');
  });

  test.each([
    [
      'a redirect',
      { status: 302, headers: { location: 'https://login.example.com/' }, body: '' },
      'login',
    ],
    ['a page with status 404', { status: 404, body: '<html>Not here</html>' }, '404'],
  ])(
    '%s is not accepted as a response, and the key goes nowhere else',
    async (_, response, told) => {
      const { framegate, waits } = connect();
      world.line.disturb({ method: 'POST', path: '/videos', response });
      const error = await failureOf(framegate.videos.create(video), UnexpectedResponseError);
      expect(error.message).toContain(told);
      expect(error.mayHaveCreated).toBe(true);
      expect(waits).toEqual([]);
    },
  );

  test('an abort while the outcome is unknown has the key', async () => {
    const { framegate } = connect();
    const stop = new AbortController();
    const meanwhile = async () => stop.abort();
    world.line.disturb({ method: 'POST', path: '/videos', cut: true, meanwhile });
    const call = framegate.videos.create(video, { signal: stop.signal });
    const error = await failureOf(call, AbortError);
    expect(error.mayHaveCreated).toBe(true);
    expect(error.idempotencyKey).toBe([...keysSent()][0]);
  });
});

test('50 creates at once wait together at a limit: few are refused, each is made once', async () => {
  const limits = { createsPerMinute: 300, burst: 10 };
  const { apiKey } = await world.addAccount({ credits: 100_000, limits });
  const framegate = new Framegate({ baseUrl: world.baseUrl, apiKey });
  const made = await Promise.all(Array.from({ length: 50 }, () => framegate.videos.create(video)));
  expect(new Set(made.map(({ id }) => id)).size).toBe(50);
  expect(creates().length).toBeLessThanOrEqual(70);
  const { available } = await framegate.credits.balance();
  expect(available).toBe(100_000 - 50 * videoCredits);
});

/** The body of a real 429. */
async function limited(): Promise<object> {
  const poor = await world.addAccount({ limits: { otherReadsPerMinute: 1 } });
  for (;;) {
    const { status, json } = await poor.get('/v1/models');
    if (status === 429) return json;
  }
}

describe('trouble on the way of a wait', () => {
  test.each([
    ['cut lines', { cut: true }],
    ['pages with status 200', { response: { status: 200, body: '<html>Sign in</html>' } }],
    ['restarts behind a proxy', { response: { status: 503, body: 'starting' } }],
    ['limits', { response: { status: 429, headers: { 'retry-after': '20' }, body: {} } }],
  ])('%s are waited out beyond the budget of a single call', async (_, trouble) => {
    const { framegate, waits } = connect();
    const { id } = await framegate.videos.create(video);
    world.line.disturb({ method: 'GET', path: id, times: 12, ...trouble });
    const done = await framegate.generations.wait(id);
    expect(done.status).toBe('completed');
    expect(waits.length).toBeGreaterThanOrEqual(12);
  });
});
