import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  AbortError,
  ApiError,
  ConnectionError,
  Framegate,
  FramegateError,
  GenerationFailedError,
  IdempotencyError,
  InsufficientCreditsError,
  InvalidRequestError,
  NotFoundError,
  PriceLimitError,
  RateLimitError,
  ServiceError,
  UnexpectedAnswerError,
  WaitTimeoutError,
  type FramegateOptions,
  type Generation,
} from '../../../integrations/typescript/src/node/index.ts';
import { freePort } from '../../support/freePort.ts';
import type { TestAccount } from '../../support/gateway.ts';
import { startClientWorld, type ClientWorld } from '../support/clientWorld.ts';
import { hurriedPlatform } from './hurriedPlatform.ts';

let world: ClientWorld;
let account: TestAccount;

beforeAll(async () => {
  world = await startClientWorld();
});
afterAll(async () => {
  await world.stop();
});
beforeAll(async () => {
  account = await world.addAccount({ credits: 100_000 });
});
afterEach(() => {
  world.line.reset();
});

const video = {
  model: 'alpha-2.0-fast',
  mode: 'text-to-video' as const,
  prompt: 'A paper boat at sunrise',
};
const failing = { ...video, prompt: 'A paper boat that sinks' };
const endless = { ...video, prompt: 'A paper boat that never arrives' };
const videoCredits = 50;

/** A client on a hurried clock, and the waits that it was asked to make. */
function connect(options: FramegateOptions = {}) {
  const platform = hurriedPlatform();
  const { baseUrl } = world;
  const framegate = new Framegate({ baseUrl, apiKey: account.apiKey, ...options, platform });
  return { framegate, waits: platform.waits };
}

/** What a call fails with. */
async function failureOf<E extends FramegateError>(
  call: Promise<unknown>,
  Class: new (...given: never[]) => E,
): Promise<E> {
  const error: unknown = await call.then(
    () => new Error('the call has not failed'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Class)) throw error;
  expect(error).toBeInstanceOf(FramegateError);
  expect(error.name).toBe(Class.name);
  return error;
}

const creates = () => world.line.seen.filter(({ method }) => method === 'POST');
const keysSent = () => new Set(creates().map(({ headers }) => headers['idempotency-key']));

/** What was spent by some calls. */
async function spentBy(calls: () => Promise<unknown>): Promise<number> {
  const before = await world.available(account);
  await calls();
  return before - (await world.available(account));
}

describe('create and wait', () => {
  test('answers the record of the API when it has completed, and tells of each state', async () => {
    const { framegate, waits } = connect();
    const seen: Generation[] = [];
    const done = await framegate.videos.createAndWait(video, { onUpdate: (now) => seen.push(now) });
    const { json } = await account.get(`/v1/generations/${done.id}`);
    expect(JSON.parse(JSON.stringify(done))).toEqual(json);
    expect(done.output.urls).toEqual([done.output.video_url]);
    expect(seen[0]).toMatchObject({ id: done.id, status: 'queued' });
    expect(seen.at(-1)).toMatchObject({ status: 'completed' });
    // It asks when it is told to, neither sooner nor later.
    expect(waits).toEqual(seen.slice(0, -1).map((each) => Number(each.retry_after_seconds) * 1000));
  });

  test('images come with all their files', async () => {
    const { framegate } = connect();
    const parameters = { n: 2 };
    const order = { model: 'image-b-2', prompt: 'A lighthouse', parameters };
    const done = await framegate.images.createAndWait(order);
    expect(done.parameters.n).toBe(2);
    expect(done.output.image_urls).toHaveLength(2);
  });

  test("a caller's own key gives the same generation after a restart, at once", async () => {
    const first = await connect().framegate.videos.createAndWait(video, {
      idempotencyKey: 'order-1',
    });
    const { framegate, waits } = connect();
    const again = await framegate.videos.createAndWait(video, { idempotencyKey: 'order-1' });
    expect(again.id).toBe(first.id);
    expect(again.status).toBe('completed');
    expect(waits).toEqual([]);
  });

  test('without a key, two calls are two generations', async () => {
    const { framegate } = connect();
    const spent = await spentBy(() =>
      Promise.all([framegate.videos.create(video), framegate.videos.create(video)]),
    );
    expect(spent).toBe(2 * videoCredits);
    expect(keysSent().size).toBe(2);
  });

  test('a wait is taken up again by the id', async () => {
    const { framegate } = connect();
    const { id } = await framegate.videos.create(video);
    expect(await connect().framegate.generations.wait(id)).toMatchObject({ id });
    expect(await framegate.generations.get(id)).toMatchObject({ status: 'completed' });
  });

  test('a failed generation tells why, and that it was refunded', async () => {
    const { framegate } = connect();
    world.ark.script({ prompt: failing.prompt, on: 'task', plan: { looks: 0, end: 'failed' } });
    const spent = await spentBy(async () => {
      const call = framegate.videos.createAndWait(failing);
      const error = await failureOf(call, GenerationFailedError);
      expect(error.refunded).toBe(true);
      expect(error.message).toContain('50 credits were refunded');
      expect(error.message).toContain(String(error.generationId));
      expect(error.generation).toMatchObject({ status: 'failed', error: { code: error.code } });
      expect(error.retryable).toBe(error.generation.error?.retryable);
    });
    expect(spent).toBe(0);
  });

  test('a timeout has the id, and costs nothing to go on from', async () => {
    const { framegate } = connect();
    world.ark.script({ prompt: endless.prompt, on: 'task', plan: { looks: 0, end: 'never' } });
    const call = framegate.videos.createAndWait(endless, { timeoutMs: 90_000 });
    const error = await failureOf(call, WaitTimeoutError);
    expect(error.generationId).toBe(error.id);
    expect(error.message).toContain(`generations.wait('${error.id}')`);
    expect(creates()).toHaveLength(1);
    expect(await framegate.generations.get(error.id)).toMatchObject({ status: 'processing' });
  });

  test('an abort ends the wait at once and has the id', async () => {
    const { framegate } = connect();
    world.ark.script({ prompt: endless.prompt, on: 'task', plan: { looks: 0, end: 'never' } });
    const stop = new AbortController();
    const call = framegate.videos.createAndWait(endless, {
      signal: stop.signal,
      onUpdate: () => stop.abort('enough'),
    });
    const error = await failureOf(call, AbortError);
    expect(error.generationId).toMatch(/^gen_/);
    expect(error.cause).toBe('enough');
    expect(world.line.seen).toHaveLength(1);
  });
});

describe('the price', () => {
  test('is what is charged, and above the limit nothing is created', async () => {
    const { framegate } = connect();
    const parameters = { duration_seconds: 7, resolution: '480p' as const, generate_audio: true };
    const credits = await framegate.price(video.model, parameters);
    const order = { ...video, parameters };
    const call = framegate.videos.create(order, { maxCredits: credits - 1 });
    const error = await failureOf(call, PriceLimitError);
    expect([error.credits, error.maxCredits]).toEqual([credits, credits - 1]);
    expect(creates()).toHaveLength(0);
    const made = await framegate.videos.create(order, { maxCredits: credits });
    expect(made.billing.cost_credits).toBe(credits);
  });

  test('a limit that is no number lets nothing through', async () => {
    const call = connect().framegate.videos.create(video, { maxCredits: Number.NaN });
    await failureOf(call, PriceLimitError);
  });
});

describe('trouble on the way of a create', () => {
  const lost = { method: 'POST', path: '/videos', cut: true, forwarded: true };
  const down = { status: 502, body: '<html>Bad Gateway</html>' };

  test.each([
    ['its answer is lost', lost],
    ['the line is cut before the gateway', { ...lost, forwarded: false }],
    ['the answer is cut in the middle', { method: 'POST', path: '/videos', cutAfter: 40 }],
    ['a proxy answers', { method: 'POST', path: '/videos', answer: down, forwarded: true }],
    [
      'the service asks for patience',
      {
        ...{ method: 'POST', path: '/videos' },
        answer: { status: 429, headers: { 'retry-after': '7' }, body: {} },
      },
    ],
  ])('%s, three times: one generation, one key', async (_, disturbance) => {
    const { framegate, waits } = connect();
    world.line.disturb({ ...disturbance, times: 3 });
    const spent = await spentBy(() => framegate.videos.create(video));
    expect(spent).toBe(videoCredits);
    expect(creates()).toHaveLength(4);
    expect(keysSent().size).toBe(1);
    expect(new Set(creates().map(({ body }) => body)).size).toBe(1);
    const isTold = 'answer' in disturbance && disturbance.answer.status === 429;
    expect(waits).toEqual(isTold ? [7000, 7000, 7000] : [1000, 2000, 4000]);
  });

  test('a permanent 500 ends with the key to go on with', async () => {
    const { framegate, waits } = connect();
    const disturbance = { method: 'POST', path: '/videos', times: 1000 };
    const refusal = (await account.get('/v1/nowhere')).json['error'] as object;
    const error = { ...refusal, type: 'api_error', code: 'internal_error', retryable: true };
    world.line.disturb({
      ...disturbance,
      forwarded: true,
      answer: { status: 500, body: { error } },
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
    expect(thrown?.message).toContain(`idempotencyKey '${String(thrown?.idempotencyKey)}'`);
    expect(Math.max(...waits)).toBe(30_000);
    expect(waits.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(120_000);
  });

  test('429 for an hour ends a create within its budget; nothing was made', async () => {
    const { framegate, waits } = connect();
    const answer = { status: 429, headers: { 'retry-after': '30' }, body: await limited() };
    world.line.disturb({ method: 'POST', path: '/videos', times: 1000, answer });
    const error = await failureOf(framegate.videos.create(video), RateLimitError);
    expect(error.mayHaveCreated).toBe(false);
    expect(error.requestId).toMatch(/^req_/);
    expect(waits.reduce((sum, each) => sum + each, 0)).toBe(120_000);
  });

  test('createAndWait waits for a place as long as it may', async () => {
    const { framegate } = connect();
    const answer = { status: 429, headers: { 'retry-after': '30' }, body: await limited() };
    world.line.disturb({ method: 'POST', path: '/videos', times: 20, answer });
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

  test('a limit says nothing about the try before it, a refusal of the key does', async () => {
    const { framegate } = connect();
    const post = { method: 'POST', path: '/videos' };
    world.line.disturb({ ...post, cut: true, forwarded: true });
    world.line.disturb({ ...post, times: 1000, answer: { status: 429, body: await limited() } });
    const options = { idempotencyKey: 'order-3' };
    const unknown = await failureOf(framegate.videos.create(video, options), RateLimitError);
    expect([unknown.mayHaveCreated, unknown.idempotencyKey]).toEqual([true, 'order-3']);
    world.line.reset();
    world.line.disturb({ ...post, cut: true });
    const wrong = framegate.videos.create({ ...video, model: 'alpha-9' });
    expect((await failureOf(wrong, NotFoundError)).mayHaveCreated).toBe(false);
  });

  test('a service that cannot be reached is told, with the key', async () => {
    const port = await freePort();
    const { framegate } = connect({ baseUrl: `http://127.0.0.1:${port}/v1`, retryBudgetMs: 3000 });
    const error = await failureOf(framegate.videos.create(video), ConnectionError);
    expect(error.message).toContain(`connect ECONNREFUSED 127.0.0.1:${port}`);
    expect(error.idempotencyKey).toBeDefined();
  });

  test('a server that says nothing is left after the time for a request', async () => {
    const silent = () => new Promise<never>(() => undefined);
    const platform = {
      ...hurriedPlatform(),
      fetch: (_: string, { signal }: RequestInit) =>
        Promise.race([
          silent(),
          new Promise<never>((_, reject) => {
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
    ['a page with status 200', { status: 200, body: '<html>Sign in</html>' }, '200'],
    [
      'a redirect',
      { status: 302, headers: { location: 'https://login.example.com/' }, body: '' },
      'login',
    ],
    ['a page with status 404', { status: 404, body: '<html>Not here</html>' }, '404'],
    ['JSON of another service', { status: 200, body: { hello: 'world' } }, '200'],
  ])('%s is no answer, and the key goes nowhere else', async (_, answer, told) => {
    const { framegate, waits } = connect();
    world.line.disturb({ method: 'POST', path: '/videos', answer });
    const error = await failureOf(framegate.videos.create(video), UnexpectedAnswerError);
    expect(error.message).toContain(told);
    expect(error.mayHaveCreated).toBe(true);
    expect(waits).toEqual([]);
  });

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
    ['restarts behind a proxy', { answer: { status: 503, body: 'starting' } }],
    ['limits', { answer: { status: 429, headers: { 'retry-after': '20' }, body: {} } }],
  ])('%s are waited out beyond the budget of a single call', async (_, trouble) => {
    const { framegate, waits } = connect();
    const { id } = await framegate.videos.create(video);
    world.line.disturb({ method: 'GET', path: id, times: 12, ...trouble });
    const done = await framegate.generations.wait(id);
    expect(done.status).toBe('completed');
    expect(waits.length).toBeGreaterThanOrEqual(12);
  });
});

describe('refusals', () => {
  test.each([
    [
      'a wrong parameter',
      { parameters: { duration_seconds: 99 } },
      InvalidRequestError,
      'invalid_request',
    ],
    ['an unknown model', { model: 'alpha-9' }, NotFoundError, 'model_not_found'],
  ])('%s', async (_, fields, Class, code) => {
    const { framegate, waits } = connect();
    const error = await failureOf<ApiError>(
      framegate.videos.create({ ...video, ...fields }),
      Class,
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code, retryable: false, mayHaveCreated: false });
    expect(error.requestId).toMatch(/^req_/);
    expect(waits).toEqual([]);
  });

  test('too few credits: how many are missing', async () => {
    const { apiKey } = await world.addAccount({ credits: 7 });
    const { framegate } = connect({ apiKey });
    const error = await failureOf(framegate.videos.create(video), InsufficientCreditsError);
    expect([error.required, error.available]).toEqual([videoCredits, 7]);
    expect(await framegate.credits.balance()).toMatchObject({ available: 7 });
  });

  test('a key used for another body', async () => {
    const { framegate } = connect();
    const options = { idempotencyKey: 'order-2' };
    await framegate.videos.create(video, options);
    const other = framegate.videos.create({ ...video, prompt: 'Another boat' }, options);
    expect((await failureOf(other, IdempotencyError)).code).toBe('idempotency_key_reused');
  });

  test('an unknown generation', async () => {
    const id = 'gen_00000000000000000000000000';
    const error = await failureOf(connect().framegate.generations.wait(id), NotFoundError);
    expect(error).toMatchObject({ code: 'generation_not_found', generationId: id });
  });
});
