import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  AbortError,
  ApiError,
  type Generation,
  GenerationFailedError,
  IdempotencyError,
  InsufficientCreditsError,
  InvalidRequestError,
  NotFoundError,
  PriceLimitError,
  WaitTimeoutError,
} from '../../../integrations/typescript/src/node/index.ts';
import { type ClientTests, failureOf, useClient, video, videoCredits } from './useClient.ts';

const tests = useClient();
let { world, account, connect, creates, keysSent, spentBy } = {} as ClientTests;
beforeAll(() => {
  ({ world, account, connect, creates, keysSent, spentBy } = tests());
});

const failing = { ...video, prompt: 'A paper boat that sinks' };
const endless = { ...video, prompt: 'A paper boat that never arrives' };

describe('create and wait', () => {
  test("returns the API's record on completion, and reports each state", async () => {
    const { framegate, waits } = connect();
    const seen: Generation[] = [];
    const done = await framegate.videos.createAndWait(video, { onUpdate: (now) => seen.push(now) });
    const { json } = await account.get(`/v1/generations/${done.id}`);
    expect(JSON.parse(JSON.stringify(done))).toEqual(json);
    expect(done.output.urls).toEqual([done.output.video_url]);
    expect(seen[0]).toMatchObject({ id: done.id, status: 'queued' });
    expect(seen.at(-1)).toMatchObject({ status: 'completed' });
    // It polls exactly at the requested intervals.
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

  test('without a key, two calls make two generations', async () => {
    const { framegate } = connect();
    const spent = await spentBy(() =>
      Promise.all([framegate.videos.create(video), framegate.videos.create(video)]),
    );
    expect(spent).toBe(2 * videoCredits);
    expect(keysSent().size).toBe(2);
  });

  test('a wait is resumed by the id', async () => {
    const { framegate } = connect();
    const { id } = await framegate.videos.create(video);
    expect(await connect().framegate.generations.wait(id)).toMatchObject({ id });
    expect(await framegate.generations.get(id)).toMatchObject({ status: 'completed' });
  });

  test('a failed generation names the reason and the refund', async () => {
    const { framegate } = connect();
    world.ark.script({ prompt: failing.prompt, on: 'task', plan: { polls: 0, end: 'failed' } });
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

  test('a timeout has the id, and resuming costs nothing', async () => {
    const { framegate } = connect();
    world.ark.script({ prompt: endless.prompt, on: 'task', plan: { polls: 0, end: 'never' } });
    const call = framegate.videos.createAndWait(endless, { timeoutMs: 90_000 });
    const error = await failureOf(call, WaitTimeoutError);
    expect(error.generationId).toBe(error.id);
    expect(error.message).toContain(`generations.wait('${error.id}')`);
    expect(creates()).toHaveLength(1);
    expect(await framegate.generations.get(error.id)).toMatchObject({ status: 'processing' });
  });

  test('an abort ends the wait at once and has the id', async () => {
    const { framegate } = connect();
    world.ark.script({ prompt: endless.prompt, on: 'task', plan: { polls: 0, end: 'never' } });
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
  test('equals the charge, and above the limit nothing is created', async () => {
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

  test('an invalid limit lets nothing through', async () => {
    const call = connect().framegate.videos.create(video, { maxCredits: NaN });
    await failureOf(call, PriceLimitError);
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
