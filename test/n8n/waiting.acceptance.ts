import { beforeEach, describe, expect, test } from '@jest/globals';
import { runNode } from '../../integrations/n8n/test/support/runNode.mts';
import { freePort } from '../support/freePort.ts';
import {
  failureOf,
  generation,
  type NodeTests,
  useNode,
  video,
  videoCredits,
} from './support/nodeTests.ts';

const tests = useNode();
let { framegate, account, run } = {} as NodeTests;
beforeEach(() => {
  ({ framegate, account, run } = tests());
});

const polls = () => framegate.line.seen.filter(({ path }) => path.includes('/generations/'));
const never = { on: 'task', plan: { polls: 0, end: 'never' } } as const;

/** Creates a video and hands on its id at once. */
async function created(prompt: string): Promise<string> {
  const [item] = await run(video(prompt, { wait: false }), { executionId: prompt });
  return String(item?.json['id']);
}

describe('a stop', () => {
  test('ends the wait long before the hint, and no poll follows', async () => {
    framegate.ark.script(never);
    const id = await created('stopped');
    framegate.line.disturb({
      method: 'GET',
      path: id,
      after: 1,
      response: { status: 429, headers: { 'retry-after': '3600' }, body: {} },
    });
    const stop = new AbortController();
    const waiting = failureOf(run(generation('wait', id), { signal: stop.signal }));
    while (polls().every(({ status }) => status !== 429)) await tick();
    stop.abort();
    expect((await waiting).message).toBe('The workflow was stopped');
    expect(polls()).toHaveLength(2);
  });
});

describe('a limit', () => {
  test('of any length is waited out by a wait, from its first request', async () => {
    const id = await created('limited at first');
    const response = { status: 429, headers: { 'retry-after': '600' }, body: {} };
    framegate.line.disturb({ method: 'GET', path: id, response });
    const stop = new AbortController();
    const waiting = failureOf(run(generation('wait', id), { signal: stop.signal }));
    while (polls().every(({ status }) => status !== 429)) await tick();
    stop.abort();
    expect((await waiting).message).toBe('The workflow was stopped');
    expect(polls()).toHaveLength(1);
  });
});

describe('a timeout', () => {
  test('passes the item on unchanged', async () => {
    framegate.ark.script(never);
    const [item] = await run(video('slow', { options: { timeoutSeconds: 1 } }));
    expect(item?.json).toMatchObject({ timed_out: true, id: expect.stringMatching(/^gen_/) });
    expect(item?.json).not.toHaveProperty('error');
  });

  test('is an error where the user wants one, with the id in it', async () => {
    framegate.ark.script(never);
    const id = await created('slow too');
    const options = { timeoutSeconds: 1, onTimeout: 'stop' };
    const { message, description } = await failureOf(run(generation('wait', id, { options })));
    expect(message).toContain(id);
    expect(description).toContain(`Generation: ${id}.`);
  });
});

describe('Generation', () => {
  test('Wait resumes an earlier generation, and pays nothing', async () => {
    const id = await created('taken up');
    const before = await framegate.spent(account);
    const [item] = await run(generation('wait', id, { download: true }));
    expect(item).toMatchObject({
      json: { id, status: 'completed' },
      binary: { data: { mimeType: 'video/mp4' } },
    });
    expect(await framegate.spent(account)).toBe(before);
  });

  test('Get shows a failed one as data, without a field called error', async () => {
    const error = { code: 'InternalServiceError', message: 'no' };
    framegate.ark.script({ on: 'task', plan: { polls: 0, end: 'failed', error } });
    const id = await created('failed');
    await account.untilEnded(id);
    for (const simplify of [true, false]) {
      const [item] = await run(generation('get', id, { simplify }));
      expect(item?.json).toMatchObject({
        id,
        status: 'failed',
        failure: { code: expect.any(String), message: expect.any(String) },
      });
      expect(item?.json).not.toHaveProperty('error');
    }
  });

  test('takes the id from an address, and sends the key only to the base URL', async () => {
    const id = await created('by address');
    framegate.line.reset();
    const value = `https://elsewhere.example/v1/generations/${id}`;
    // n8n extracts by the field's pattern before the node runs; so does the harness's value.
    const [, extracted] = /(gen_[0-9a-z]{26})/.exec(value) ?? [];
    const [item] = await run(generation('get', extracted));
    expect(item?.json['id']).toBe(id);
    expect(polls().map(({ path }) => path)).toEqual([`/v1/generations/${id}`]);
  });

  test('never requests anything but an id', async () => {
    for (const id of ['', '../models', 'gen_1', `gen_${'a'.repeat(26)}/../..`]) {
      const { message } = await failureOf(run(generation('get', id)));
      expect(message).toMatch(/^Generation (must be the ID of a generation|has no value)$/);
    }
    expect(polls()).toEqual([]);
  });

  test('of another account is not found', async () => {
    const { apiKey } = await framegate.addAccount();
    const id = await created('mine');
    const { httpCode } = await failureOf(run(generation('get', id), { apiKey }));
    expect(httpCode).toBe('404');
  });
});

describe('a download', () => {
  const page = {
    status: 200,
    headers: { 'content-type': 'text/html', 'retry-after': '0' },
    body: '<html>Sign in</html>',
  };
  const disturb = (times: number) =>
    framegate.line.disturb({ method: 'GET', path: '/media/outputs/', times, response: page });

  test('of a page in place of the file is retried, with a fresh address', async () => {
    disturb(1);
    const [item] = await run(video('behind a page', { download: true }));
    expect(item?.binary?.['data']).toMatchObject({ mimeType: 'video/mp4' });
    const paths = framegate.line.seen.map(({ path }) => path);
    const afterThePage = paths.slice(paths.findIndex((path) => path.includes('/outputs/')) + 1);
    expect(afterThePage).toEqual([
      `/v1/generations/${String(item?.json['id'])}`,
      expect.stringContaining('/media/outputs/'),
    ]);
  });

  test('of a page that persists is an error that names the generation', async () => {
    disturb(100);
    const { message, description } = await failureOf(run(video('a page', { download: true })));
    expect(message).toBe('The finished file could not be downloaded');
    expect(description).toMatch(/Generation: gen_.*text\/html was received instead of the video/);
  });
});

describe('messages', () => {
  test('a wrong key', async () => {
    const { baseUrl } = framegate;
    const wrong = { baseUrl, apiKey: `fg_live_${'x'.repeat(38)}`, params: video('x') };
    const { message, description, httpCode } = await failureOf(runNode(wrong));
    expect({ message, httpCode }).toEqual({
      message: 'The API key is missing or not valid',
      httpCode: '401',
    });
    expect(description).toMatch(/put a valid key.*Request ID: req_/);
  });

  test('too few credits', async () => {
    const { apiKey } = await framegate.addAccount({ credits: videoCredits - 1 });
    const { description, httpCode } = await failureOf(run(video('x'), { apiKey }));
    expect(httpCode).toBe('402');
    expect(description).toMatch(/Credits needed: 12\. Available: 11\./);
  });

  test('an input on a host that is not approved', async () => {
    const inputs = { values: [{ url: 'https://files.example.com/a.png' }] };
    const params = video('x', { mode: 'image-to-video', inputs });
    const { message, httpCode } = await failureOf(run(params));
    expect({ message, httpCode }).toEqual({
      message: 'The host of an input URL is not approved for this API key',
      httpCode: '403',
    });
  });

  test('an invalid base URL, or one that would expose the key', async () => {
    const { apiKey } = account;
    const balance = { resource: 'account', operation: 'getBalance' };
    const saidOf = async (baseUrl: string) =>
      (await failureOf(runNode({ baseUrl, apiKey, params: balance }))).message;
    expect(await saidOf('media')).toBe(
      'The base URL is not a valid URL without a user name, "?" or "#"',
    );
    expect(await saidOf('http://media.example.com/v1')).toBe(
      'The base URL must begin with https://: otherwise others on the network could read the key',
    );
  });

  test('no response: nothing was created, and no key is named', async () => {
    const { apiKey } = account;
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    const nothing = { baseUrl, apiKey, params: video('x', { wait: false }) };
    const { message, description } = await failureOf(runNode(nothing));
    expect(message).toBe('The service could not be reached');
    expect(description).toMatch(/check the Base URL.*Nothing was created\./);
    expect(description).not.toMatch(/may have been created|Idempotency Key/);
  });
});

describe('Estimate Price', () => {
  test('equals the charge of a create, and reads only the models', async () => {
    const estimate = { ...video('x'), operation: 'estimatePrice' };
    const [item] = await run(estimate);
    expect(item?.json).toEqual({
      model: 'alpha-2.0-mini',
      type: 'video',
      cost_credits: videoCredits,
      parameters: { duration_seconds: 4, resolution: '480p', generate_audio: false },
    });
    expect(framegate.line.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v1/models',
    ]);
    const [video12] = await run(video('as told', { wait: false }), { executionId: 'estimated' });
    expect(video12?.json['cost_credits']).toBe(item?.json['cost_credits']);
  });
});

describe('reads', () => {
  test('the balance', async () => {
    const [item] = await run({ resource: 'account', operation: 'getBalance' });
    expect(item?.json).toMatchObject({ object: 'credit_balance', available: expect.any(Number) });
  });

  test('the models, simplified or whole, up to a limit', async () => {
    const list = { resource: 'model', operation: 'getAll' };
    const all = await run({ ...list, returnAll: true });
    const images = await run({ ...list, limit: 1, simplify: false, filters: { type: 'image' } });
    expect(all.map(({ json }) => json['id'])).toContain('alpha-2.0-mini');
    expect(images).toHaveLength(1);
    expect(images[0]?.json).toMatchObject({ object: 'model', type: 'image', pricing: {} });
  });
});

const tick = () => new Promise((resolve) => setTimeout(resolve, 10));
