import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Plan } from '../support/fakeArk/script.ts';
import type { TestAccount } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import type { N8nWorld } from './support/n8nWorld.ts';
import { bytesOf, items, useN8n } from './support/useN8n.ts';
import { workflow } from './support/workflows.ts';

/* The node in real n8n: repeats, waiting, files. */

/** An account whose key is revoked by a test. */
let leaving: TestAccount;

const leavingCredential = { id: 'framegateLeaving1', name: 'Framegate leaving' };

/** Parameters of Video: Create, 12 credits, with the prompt of the row. */
const video = (more: Record<string, unknown> = {}, options: Record<string, unknown> = {}) => ({
  resource: 'video',
  operation: 'create',
  mode: 'text-to-video',
  prompt: '={{ $json.prompt }}',
  model: { __rl: true, mode: 'id', value: 'alpha-2.0-mini' },
  parameters: { durationSeconds: 4, resolution: '480p' },
  wait: true,
  download: false,
  simplify: true,
  options,
  ...more,
});

const prompts = (...all: string[]) => all.map((prompt) => ({ prompt }));
const twenty = Array.from({ length: 20 }, (_, index) => `parallel ${index}`);

const workflows = [
  workflow('retryThree', prompts('row one', 'row two', 'row three'), video(), {
    node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
  }),
  workflow('stopWait', prompts('stop me'), video()),
  workflow('timeoutData', prompts('too slow'), video({}, { timeoutSeconds: 2 })),
  workflow(
    'timeoutError',
    prompts('too slow'),
    video({}, { timeoutSeconds: 2, onTimeout: 'stop' }),
  ),
  workflow('limitedPolls', prompts('limited'), video()),
  workflow('revokedKey', prompts('revoked'), video(), { credential: leavingCredential }),
  workflow('restarted', prompts('restarted'), video()),
  workflow('twentyItems', prompts(...twenty), video({ simplify: false })),
  workflow('oneFile', prompts('one file'), video({ download: true })),
];

const world = useN8n(workflows, async (gateway) => {
  leaving = await gateway.addAccount();
  const data = { baseUrl: gateway.baseUrl, apiKey: leaving.apiKey };
  return [{ ...leavingCredential, type: 'framegateApi', data }];
});
let { framegate, account, n8n } = {} as N8nWorld;
beforeAll(() => {
  ({ framegate, account, n8n } = world());
});

/** Requests of the current test. */
const seen = (method: string, part: string) =>
  framegate.line.seen.filter((each) => each.method === method && each.path.includes(part));
/** The polls of the current test, for the line to disturb. */
const polls = { method: 'GET', path: '/v1/generations/' };
const never = { polls: 0, end: 'never' } as const;

describe('nothing is paid twice', () => {
  test('Retry On Fail, 3 items, the second accepted but unanswered: 3 generations, 3 charges', async () => {
    const before = await framegate.spent(account);
    framegate.line.disturb({
      method: 'POST',
      path: '/v1/videos',
      body: 'row two',
      times: 4,
      forwarded: true,
      response: { status: 500, headers: { 'retry-after': '0' }, body: 'lost' },
    });
    const execution = await n8n.runToEnd('retryThree');
    expect(execution).toMatchObject({ status: 'success' });
    expect(new Set(items(execution).map(({ json }) => json['id'])).size).toBe(3);
    expect(framegate.ark.accepted('row')).toBe(3);
    expect((await framegate.spent(account)) - before).toBe(3 * 12);
    const posts = seen('POST', '/v1/videos');
    expect(posts.map(({ body }) => (JSON.parse(body) as { prompt: string }).prompt)).toEqual([
      ...['row one', 'row two', 'row two', 'row two', 'row two'],
      ...['row one', 'row two', 'row three'],
    ]);
    expect(new Set(posts.map(({ headers }) => headers['idempotency-key'])).size).toBe(3);
  });
});

describe('waiting', () => {
  test('Stop ends it, no poll follows, and the stored execution names the generation', async () => {
    framegate.ark.script({ on: 'task', plan: never });
    const id = await n8n.run('stopWait');
    await until(() => seen('GET', '/v1/generations/').length > 0);
    await n8n.request('POST', `/executions/${id}/stop`);
    expect(await n8n.until(id, 'canceled')).toMatchObject({ status: 'canceled' });
    const [poll = ''] = seen('GET', '/v1/generations/').map(({ path }) => path);
    await until(async () => {
      const { customData } = (await n8n.request('GET', `/executions/${id}`)) as {
        customData: Record<string, string>;
      };
      return poll.endsWith(customData['framegate_1'] ?? 'nothing is kept');
    });
    // The next run polls for longer than the hint of the stopped one, which is not seen again.
    const before = seen('GET', '/v1/generations/').length;
    const [stopped = ''] = seen('GET', '/v1/generations/').map(({ path }) => path);
    await n8n.runToEnd('timeoutData');
    expect(seen('GET', stopped)).toHaveLength(before);
  });

  test('a timeout passes the item on with its id', async () => {
    framegate.ark.script({ on: 'task', plan: never });
    const execution = await n8n.runToEnd('timeoutData');
    expect(execution).toMatchObject({ status: 'success' });
    const [item] = items(execution);
    expect(item?.json).toMatchObject({
      id: expect.stringMatching(/^gen_/),
      status: 'processing',
      timed_out: true,
      cost_credits: 12,
      status_url: expect.stringContaining('/v1/generations/gen_'),
    });
    expect(item?.json).not.toHaveProperty('error');
  });

  test('a timeout as an error names the generation', async () => {
    framegate.ark.script({ on: 'task', plan: never });
    const execution = await n8n.runToEnd('timeoutError');
    expect(execution).toMatchObject({ status: 'error' });
    expect(execution.error?.message).toMatch(/gen_/);
    expect(execution.error?.description).toMatch(/gen_.*/);
  });

  test('429 and 503 during polls are waited out as the server says', async () => {
    const limited = { status: 429, headers: { 'retry-after': '2' }, body: {} };
    const busy = { status: 503, headers: { 'retry-after': '1' }, body: 'busy' };
    framegate.line.disturb({ ...polls, response: limited });
    framegate.line.disturb({ ...polls, response: busy });
    const execution = await n8n.runToEnd('limitedPolls');
    expect(items(execution)[0]?.json).toMatchObject({ status: 'completed' });
    const polled = seen('GET', '/v1/generations/');
    expect(polled.slice(0, 2).map(({ status }) => status)).toEqual([429, 503]);
    const [first, second, third] = polled.map(({ at }) => at);
    expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(1950);
    expect(Number(third) - Number(second)).toBeGreaterThanOrEqual(950);
    expect(seen('POST', '/v1/videos')).toHaveLength(1);
  });

  test('a key revoked in the middle ends it and names the generation', async () => {
    framegate.ark.script({ on: 'task', plan: never });
    framegate.line.disturb({
      ...polls,
      meanwhile: () => framegate.revokeKey(leaving),
    });
    const execution = await n8n.runToEnd('revokedKey');
    expect(execution).toMatchObject({ status: 'error' });
    expect(execution.error?.description).toMatch(/put a valid key .*Generation: gen_/);
    expect(seen('POST', '/v1/videos')).toHaveLength(1);
  });

  test('a restart of the gateway in the middle is waited out', async () => {
    const plan: Plan = { polls: 0, end: 'never' };
    framegate.ark.script({ on: 'task', plan });
    const id = await n8n.run('restarted');
    await until(() => seen('GET', '/v1/generations/').length > 0);
    await framegate.restart(() =>
      until(() => seen('GET', '/v1/generations/').some(({ status }) => status === 0)),
    );
    // Not earlier, so that n8n polls during the restart, however long its hint.
    plan.end = 'succeeded';
    const execution = await n8n.until(id, 'success');
    expect(items(execution)[0]?.json).toMatchObject({ status: 'completed' });
    expect(seen('POST', '/v1/videos')).toHaveLength(1);
  });

  test('20 items are waited for together, not one after the other', async () => {
    const execution = await n8n.runToEnd('twentyItems');
    const records = items(execution).map(({ json }) => json);
    expect(records.map(({ status }) => status)).toEqual(twenty.map(() => 'completed'));
    const times = records.map(({ created_at, completed_at }) => ({
      from: Date.parse(String(created_at)),
      to: Date.parse(String(completed_at)),
    }));
    const underWay = times.map(
      ({ from }) => times.filter((other) => other.from <= from && from < other.to).length,
    );
    expect(Math.max(...underWay)).toBeGreaterThan(1);
    expect(items(execution).map(({ pairedItem }) => pairedItem)).toEqual(
      twenty.map((_, item) => ({ item })),
    );
  });
});

describe('a downloaded file', () => {
  test('has its name, type and bytes, and is fetched without the key', async () => {
    const execution = await n8n.runToEnd('oneFile');
    const [item] = items(execution);
    const { data } = item?.['binary'] as { data: { id?: string; mimeType: string } };
    expect(data).toMatchObject({
      mimeType: 'video/mp4',
      fileExtension: 'mp4',
      fileName: expect.stringMatching(/\.mp4$/),
    });
    expect(await n8n.binary(data)).toEqual(await bytesOf(item?.json['url']));
    const [media] = seen('GET', '/media/outputs/');
    expect(media?.headers).not.toHaveProperty('authorization');
    expect(JSON.stringify(execution)).not.toContain(account.apiKey);
  });
});
