import { beforeAll, describe, expect, test } from '@jest/globals';
import type { SchemaObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { catalogue } from '@framegate/contract';
import { version } from '../../gateway/src/compose/version.ts';
import { exampleModelList, exampleRecords } from '../../shared/src/openapi/exampleRecords.ts';
import { image, imageInput, video } from '../support/bodies.ts';
import { connectMcp, errorOf } from './support/mcpClient.ts';
import { key, type McpWorld, useMcp } from './support/useMcp.ts';

const world = useMcp();
let { gateway, account, mcp } = {} as McpWorld;
beforeAll(() => {
  ({ gateway, account, mcp } = world());
});

test('are listed with their inputs, outputs and cost, in words for models', async () => {
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
  // Models pay for every byte of it in advance.
  expect(JSON.stringify(tools).length).toBeLessThanOrEqual(20_000);
  const create = tools.find(({ name }) => name === 'create_video')?.inputSchema;
  expect(create?.required).toEqual(['mode', 'model', 'prompt']);
  expect(mcp.client.getInstructions()).toContain('wait_for_generation');
});

test('have schemas that fit the responses in every state, and nothing less', async () => {
  const { tools } = await mcp.client.listTools();
  const ajv = new Ajv2020({ strict: false });
  const schemaOf = (name: string) =>
    tools.find((each) => each.name === name)?.outputSchema as SchemaObject;
  const isGeneration = ajv.compile(schemaOf('create_video'));
  const records = exampleRecords(gateway.origin);
  for (const record of Object.values(records)) {
    expect([isGeneration(record), isGeneration.errors]).toEqual([true, null]);
  }
  const { completed_video: done, failed } = records;
  for (const wrong of [
    { ...done, output: {} },
    { ...done, status: 'asleep' },
    { ...failed, error: {} },
    { ...failed, billing: {} },
  ]) {
    expect(isGeneration(wrong)).toBe(false);
  }
  expect(ajv.validate(schemaOf('list_models'), exampleModelList(catalogue))).toBe(true);
});

test('are those of this release, and promise no notifications', () => {
  expect(mcp.client.getServerVersion()).toMatchObject({ name: 'framegate', version });
  expect(mcp.client.getServerCapabilities()?.tools).toEqual({ listChanged: false });
});

test('make images: estimated, created, waited for, linked and shown', async () => {
  const newAccount = await gateway.addAccount();
  const newMcp = await connectMcp({ origin: gateway.origin, apiKey: newAccount.apiKey });
  const { structuredContent: models } = await newMcp.call('list_models');
  expect(models).toEqual((await newAccount.get('/v1/models')).json);
  const body = image({ parameters: { n: 2, aspect_ratio: '1:1' } });
  const { model, parameters } = body;
  const { structuredContent: estimate } = await newMcp.call('estimate_cost', { model, parameters });
  expect(estimate).toMatchObject({ model, unit: 'credits', cost_credits: 12 });
  const created = await newMcp.call('create_image', body);
  const { id, status } = created.structuredContent as { id: string; status: string };
  expect([status, created.isError]).toEqual(['queued', undefined]);
  expect(await newMcp.call('get_balance')).toMatchObject({
    structuredContent: { available: 988 },
  });
  const done = await newMcp.call('wait_for_generation', { id });
  const { json: record } = await newAccount.get(`/v1/generations/${id}`);
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
  expect((await newMcp.call('get_generation', { id })).content.slice(0, 3)).toEqual([
    text,
    ...files.slice(0, 2),
  ]);
});

describe("a tool refuses in the API's words, with the names of tools", () => {
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
    const inToolWords = JSON.stringify(apiError).replaceAll('GET /models', 'list_models');
    expect(error).toEqual(JSON.parse(inToolWords));
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

  test.each<[string, object, string]>([
    ['an unknown model', { model: 'alpha-9' }, 'list_models lists the models you can use'],
    ['no key', { idempotency_key: '' }, 'Send an idempotency_key with every create'],
    ['the key of another create', { idempotency_key: 'used' }, 'Repeat the original arguments'],
  ])('%s is reported without a request to the API', async (_, args, words) => {
    await mcp.call('create_image', image({ idempotency_key: 'used' }));
    const refused = await mcp.call('create_image', image({ ...key(), prompt: 'Other', ...args }));
    expect(errorOf(refused)['message']).toContain(words);
    expect(refused.content[0]).not.toMatchObject({
      text: expect.stringMatching(/GET \/|POST \/|Idempotency-Key|Retry-After|body/),
    });
  });

  test("another account's generation is not found", async () => {
    const other = await gateway.addAccount();
    const { json } = await other.post('/v1/images', image());
    const refused = await mcp.call('get_generation', { id: json['id'] });
    expect(errorOf(refused)).toMatchObject({ code: 'generation_not_found' });
  });

  test('an unknown tool is an error of the protocol', async () => {
    await expect(mcp.call('delete_account')).rejects.toMatchObject({ code: -32602 });
  });
});

test('estimates equal the bill', async () => {
  const { data } = (await account.get('/v1/models')).json as {
    data: { id: string; pricing: { examples: { parameters: object; cost_credits: number }[] } }[];
  };
  for (const { id, pricing } of data) {
    for (const { parameters, cost_credits: cost } of pricing.examples) {
      const { structuredContent } = await mcp.call('estimate_cost', { model: id, parameters });
      expect(structuredContent).toMatchObject({ cost_credits: cost });
    }
  }
});
