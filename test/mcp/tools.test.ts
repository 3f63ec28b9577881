import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { image, imageInput, video } from '../support/bodies.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../support/gateway.ts';
import { connectMcp, errorOf, type McpClient } from './support/mcpClient.ts';

/* The tools by the SDK's own client, which holds results to their schemas, on a whole gateway. */

let gateway: TestGateway;
let account: TestAccount;
let mcp: McpClient;

beforeAll(async () => {
  gateway = await startTestGateway();
  // What it creates waits: nothing is rendered beside the tests.
  account = await gateway.addAccount({ limits: { running: 0 } });
  mcp = await connectMcp({ origin: gateway.origin, apiKey: account.apiKey });
});
afterAll(async () => {
  await mcp.client.close();
  await gateway.stop();
});

const key = () => ({ idempotency_key: randomUUID() });
const connect = (more: { headers?: Record<string, string>; isModern?: boolean } = {}) =>
  connectMcp({ origin: gateway.origin, apiKey: account.apiKey, ...more });
const available = async () => Number((await account.get('/v1/credits/balance')).json['available']);

/** A message of the protocol, posted as it is. */
async function post(message: object, headers: Record<string, string> = {}) {
  const accept = 'application/json, text/event-stream';
  return account.post('/mcp', message, { accept, 'idempotency-key': undefined, ...headers });
}

test('are listed with what they take, give and spend, in words for models', async () => {
  const { tools } = await mcp.client.listTools();
  expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
    ['list_models', true],
    ['estimate_cost', true],
    ['create_video', false],
    ['create_image', false],
    ['get_generation', true],
    ['wait_for_generation', true],
    ['get_balance', true],
  ]);
  for (const { inputSchema, outputSchema, description, annotations } of tools) {
    expect([inputSchema.type, outputSchema?.type]).toEqual(['object', 'object']);
    expect(annotations?.destructiveHint).toBe(description?.includes('SPENDS CREDITS'));
  }
  expect(JSON.stringify(tools)).not.toMatch(/\$ref|GET \/|POST \/|discriminator/);
  const create = tools.find(({ name }) => name === 'create_video')?.inputSchema;
  expect(create?.required).toEqual(['mode', 'model', 'prompt']);
  expect(mcp.client.getInstructions()).toContain('wait_for_generation');
});

test('make images: estimated, created, waited for, linked and shown', async () => {
  const account = await gateway.addAccount();
  const mcp = await connectMcp({ origin: gateway.origin, apiKey: account.apiKey });
  const { structuredContent: models } = await mcp.call('list_models');
  expect(models).toEqual((await account.get('/v1/models')).json);
  const body = image({ parameters: { n: 2, aspect_ratio: '1:1' } });
  const { model, parameters } = body;
  const { structuredContent: estimate } = await mcp.call('estimate_cost', { model, parameters });
  expect(estimate).toMatchObject({ model, unit: 'credits', cost_credits: 12 });
  const created = await mcp.call('create_image', body);
  const { id, status } = created.structuredContent as { id: string; status: string };
  expect([status, created.isError]).toEqual(['queued', undefined]);
  expect(await mcp.call('get_balance')).toMatchObject({
    structuredContent: { available: 988 },
  });
  const done = await mcp.call('wait_for_generation', { id });
  const { json: record } = await account.get(`/v1/generations/${id}`);
  expect(done.structuredContent).toEqual(record);
  expect(record).toMatchObject({ status: 'completed', billing: { cost_credits: 12 } });
  const { urls } = record['output'] as { urls: string[] };
  const [text, ...files] = done.content;
  expect(text).toEqual({ type: 'text', text: JSON.stringify(record) });
  const link = (uri: string, index: number) => ({
    type: 'resource_link',
    uri,
    name: `${id}-${index + 1}.png`,
    mimeType: 'image/png',
  });
  expect(files.slice(0, 2)).toEqual(urls.map(link));
  const shown = files.slice(2).map((each) => (each.type === 'image' ? each.data : ''));
  const bytes = await Promise.all(urls.map(async (url) => (await fetch(url)).arrayBuffer()));
  expect(shown).toEqual(bytes.map((each) => Buffer.from(each).toString('base64')));
  expect((await mcp.call('get_generation', { id })).content.slice(0, 3)).toEqual([
    text,
    ...files.slice(0, 2),
  ]);
});

describe('a repeat is not paid again', () => {
  const call = (id: number, body: object) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'create_image', arguments: body },
  });
  const idOf = ({ json }: { json: Record<string, unknown> }) =>
    (json['result'] as { structuredContent: { id: string } }).structuredContent.id;

  test('the same request in the same session, as after a lost reply', async () => {
    const session = { 'mcp-session-id': String(mcp.transport.sessionId) };
    expect(mcp.transport.sessionId).toMatch(/^[0-9a-f-]{36}$/);
    const before = await available();
    const message = call(1001, image());
    const [first, second] = await Promise.all([post(message, session), post(message, session)]);
    expect(idOf(second)).toBe(idOf(first));
    expect(await available()).toBe(before - 6);
    const others = [
      await post(call(1002, image()), session),
      await post(message, { 'mcp-session-id': randomUUID() }),
      await post(call(1001, image({ prompt: 'Another one' })), session),
    ];
    expect(new Set([first, ...others].map(idOf)).size).toBe(4);
  });

  test('a key of the caller is that of the API, whatever connection it comes by', async () => {
    const body = image();
    const made = await account.post('/v1/images', body, { 'idempotency-key': 'order-7' });
    const again = await mcp.call('create_image', { ...body, idempotency_key: 'order-7' });
    expect(again.structuredContent).toEqual(made.json);
    expect(again.content.at(-1)).toMatchObject({ text: expect.stringContaining('repeats') });
    const other = image({ prompt: 'Another one', idempotency_key: 'order-7' });
    expect(errorOf(await mcp.call('create_image', other))).toMatchObject({
      code: 'idempotency_key_reused',
    });
  });

  test('without a session a key is needed', async () => {
    const before = await available();
    const { json } = await post(call(1, image()));
    const error = errorOf(json['result'] as Parameters<typeof errorOf>[0]);
    expect(error).toMatchObject({ code: 'idempotency_key_missing' });
    expect(error['message']).toContain('argument idempotency_key');
    expect(await available()).toBe(before);
  });

  test('clients of the revision without sessions are told that they need one', async () => {
    const modern = await connect({ isModern: true });
    const { tools } = await modern.client.listTools();
    const create = tools.find(({ name }) => name === 'create_image');
    expect(create?.inputSchema.required).toContain('idempotency_key');
    const body = image(key());
    const first = await modern.call('create_image', body);
    expect((await modern.call('create_image', body)).structuredContent).toEqual(
      first.structuredContent,
    );
    await modern.client.close();
  });
});

describe('the limit of a connection', () => {
  test('holds for every create, and a repeat costs nothing', async () => {
    const [narrow, wide] = await Promise.all([
      connect({ headers: { 'Framegate-Max-Credits': '5' } }),
      connect({ headers: { 'Framegate-Max-Credits': '6' } }),
    ]);
    const body = image(key());
    const before = await available();
    const refused = errorOf(await narrow.call('create_image', body));
    expect(refused).toMatchObject({ code: 'price_above_limit', retryable: false });
    expect(refused['message']).toContain('6 credits, more than the limit of 5');
    const made = await wide.call('create_image', body);
    expect(made.structuredContent).toMatchObject({ billing: { cost_credits: 6 } });
    expect((await narrow.call('create_image', body)).structuredContent).toEqual(
      made.structuredContent,
    );
    expect(await available()).toBe(before - 6);
    await Promise.all([narrow.client.close(), wide.client.close()]);
  });

  test.each(['', '-1', '1.5', 'many', '1e3'])(
    'that is %j is refused, not ignored',
    async (limit) => {
      const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
      const { status, json } = await post(ping, { 'framegate-max-credits': limit });
      expect([status, json]).toMatchObject([400, { error: { code: 'invalid_request' } }]);
    },
  );
});

describe('what the API refuses, a tool refuses in the same words', () => {
  test.each<[string, string, Record<string, unknown>]>([
    ['create_video', '/v1/videos', video({ parameters: { duration_seconds: 99 }, fps: 1 })],
    ['create_video', '/v1/videos', video({ model: 'alpha-9' })],
    ['create_video', '/v1/videos', { model: 'alpha-2.0-fast' }],
    [
      'create_video',
      '/v1/videos',
      video({ mode: 'image-to-video', inputs: [imageInput('https://127.0.0.1/a.png')] }),
    ],
    [
      'create_image',
      '/v1/images',
      image({ inputs: [imageInput('https://elsewhere.example/a.png')] }),
    ],
  ])('%s %s %j', async (tool, path, body) => {
    const refused = await mcp.client.request({
      method: 'tools/call',
      params: { name: tool, arguments: { ...body, ...key() } },
    });
    const { request_id: id, ...error } = errorOf(refused);
    const { request_id: apiId, ...apiError } = (await account.post(path, body)).json['error'] as {
      request_id: string;
    };
    expect(error).toEqual(apiError);
    expect([id, apiId]).toEqual([expect.stringMatching(/^req_/), expect.stringMatching(/^req_/)]);
  });

  test.each<[string, Record<string, unknown>, string, string]>([
    ['get_generation', {}, 'invalid_request', 'id'],
    ['get_generation', { id: 5 }, 'invalid_request', 'id'],
    ['get_generation', { id: 'gen_1' }, 'generation_not_found', ''],
    ['get_generation', { id: 'gen_1', more: 1 }, 'invalid_request', 'more'],
    ['wait_for_generation', { id: 'x', timeout_seconds: 46 }, 'invalid_request', 'timeout_seconds'],
    [
      'wait_for_generation',
      { id: 'x', timeout_seconds: '5' },
      'invalid_request',
      'timeout_seconds',
    ],
    ['estimate_cost', {}, 'invalid_request', 'model'],
    ['estimate_cost', { model: 'alpha-9' }, 'model_not_found', 'model'],
    [
      'estimate_cost',
      { model: 'image-b-2', parameters: { n: 9 } },
      'invalid_request',
      'parameters.n',
    ],
    ['get_balance', { of: 'me' }, 'invalid_request', 'of'],
    ['create_image', { ...image(), idempotency_key: 5 }, 'invalid_request', 'idempotency_key'],
    ['create_image', { ...image(), idempotency_key: 'a b' }, 'idempotency_key_invalid', ''],
  ])('%s %j: %s', async (tool, args, code, param) => {
    const refused = await mcp.client.request({
      method: 'tools/call',
      params: { name: tool, arguments: args },
    });
    const error = errorOf(refused);
    expect([error['code'], error['param']]).toEqual([code, param === '' ? null : param]);
  });

  test('another account’s generation is not there', async () => {
    const other = await gateway.addAccount();
    const { json } = await other.post('/v1/images', image());
    const refused = await mcp.call('get_generation', { id: json['id'] });
    expect(errorOf(refused)).toMatchObject({ code: 'generation_not_found' });
  });

  test('a tool that there is not is an error of the protocol', async () => {
    await expect(mcp.call('delete_account')).rejects.toMatchObject({ code: -32602 });
  });
});

test('estimates are what is billed', async () => {
  const { data } = (await account.get('/v1/models')).json as {
    data: { id: string; pricing: { examples: { parameters: object; cost_credits: number }[] } }[];
  };
  for (const { id, pricing } of data) {
    for (const { parameters, cost_credits: cost } of pricing.examples) {
      const { structuredContent } = await mcp.call('estimate_cost', { model: id, parameters });
      expect(structuredContent).toMatchObject({ cost_credits: cost });
    }
  }
  expect(gateway.errors).toEqual([]);
});
