import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { GenerationRecord } from '@framegate/contract';
import { buildOpenApi } from '@framegate/contract/openapi';
import { Refusal } from '../../gateway/src/domain/refusal.ts';
import { exampleRecords } from '../../shared/src/openapi/exampleRecords.ts';
import { caller, startTestServer, type TestServer } from '../http/startTestServer.ts';
import { image } from '../support/bodies.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/faultyProxy.ts';
import { until } from '../support/until.ts';
import { type Said, startBridge } from './support/startBridge.ts';

/* `framegate mcp` between a client's lines and a gateway behind a connection that can be disturbed. */

let server: TestServer;
let line: FaultyProxy;
/** Ids of generations, by the key of their create. */
const made = new Map<string, string>();
/** A prompt refused for its price. */
const tooDear = 'A dear one';
const { queued, completed_video: completed } = exampleRecords('https://api.test');
/** Statuses returned by polls; afterwards the generation is completed. */
const polls: GenerationRecord[] = [];
const idOf = (count: number) => `gen_${String(count).padStart(26, '0')}`;

beforeAll(async () => {
  line = await startFaultyProxy();
  server = await startTestServer({
    useCases: {
      authenticate: async () => caller,
      getGeneration: async () => polls.shift() ?? completed,
      createGeneration: async (command) => {
        server.commands.push(command);
        const key = String(command.idempotencyKey);
        if ((command.body as { prompt: string }).prompt === tooDear) {
          throw new Refusal('price_above_limit', { message: 'This needs 80 credits.' });
        }
        const wasReplayed = made.has(key);
        made.set(key, made.get(key) ?? idOf(made.size));
        const state = { object: 'generation', status: 'queued' };
        const body = { ...state, id: made.get(key), billing: { cost_credits: 40 } };
        return { body: JSON.stringify(body), headers: {}, wasReplayed };
      },
    },
    app: {
      openApi: () => buildOpenApi({ baseUrl: `${line.origin}/v1` }),
      mcp: {
        origins: [],
        estimateCost: async () => ({
          model: 'm',
          unit: 'credits',
          cost_credits: 1,
          parameters: {} as never,
        }),
        store: { open: async () => null },
        version: '1.2.3',
        stopSignal: new AbortController().signal,
      },
    },
  });
  line.target = server.url;
});
afterEach(() => {
  line.reset();
  server.commands.length = 0;
  made.clear();
});
afterAll(async () => {
  await server.stop();
  await line.close();
});

const start = (...options: string[]) => startBridge(line.origin, ...options);

const initialize = {
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  },
};
const create = (id: number, args: object = image()) => ({
  id,
  method: 'tools/call',
  params: { name: 'create_image', arguments: args },
});
const creates = { method: 'POST', path: '/mcp', body: 'create_image' };
const keys = () => server.commands.map(({ idempotencyKey }) => idempotencyKey);
const limits = () => server.commands.map(({ maxCredits }) => maxCredits);
const textOf = ({ result }: Said) => String(result?.content?.[0]?.text);

test('passes every message on, in one session, and answers every request', async () => {
  const { write, respond, end, said } = start();
  write('{');
  write('[]');
  write('');
  write(initialize);
  write({ method: 'notifications/initialized' });
  write({ id: 'two', method: 'tools/list' });
  expect((await respond('two')).result).toMatchObject({
    tools: expect.arrayContaining([expect.objectContaining({ name: 'create_video' })]),
  });
  expect(await end()).toBe(0);
  expect(said.map(({ id, error }) => [id, error?.code])).toEqual([
    [null, -32700],
    [null, -32700],
    [0, undefined],
    ['two', undefined],
  ]);
  const [first, ...others] = line.seen.map(({ headers }) => headers);
  expect([first?.authorization, first?.['mcp-session-id']]).toEqual([
    `Bearer fg_live_${'x'.repeat(38)}`,
    undefined,
  ]);
  for (const headers of others) {
    expect(headers).toMatchObject({
      'mcp-session-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'mcp-protocol-version': '2025-06-18',
    });
  }
});

test('also speaks the revision without a handshake', async () => {
  const { write, respond, end } = start();
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const { params, ...call } = create(1);
  write({ ...call, params: { ...params, _meta: meta } });
  expect((await respond(1)).result?.structuredContent).toMatchObject({ id: idOf(0) });
  expect(await end()).toBe(0);
});

describe('a create', () => {
  test('whose response is lost is repeated unchanged', async () => {
    const { write, respond, end } = start();
    line.disturb({ ...creates, cut: true, forwarded: true });
    line.disturb({ ...creates, response: { status: 503 } });
    write(create(1));
    expect((await respond(1)).result?.structuredContent).toMatchObject({ id: idOf(0) });
    expect(keys()).toEqual([expect.stringMatching(/^mcp-/), keys()[0]]);
    write(create(2, image({ idempotency_key: 'mine' })));
    expect((await respond(2)).result?.structuredContent).toMatchObject({ id: idOf(1) });
    expect(keys().at(-1)).toBe('mine');
    expect(await end()).toBe(0);
  });

  test('that stays unanswered is reported with its key', async () => {
    const { write, respond, end } = start();
    line.disturb({ ...creates, cut: true, forwarded: true, times: 99 });
    write(create(1));
    const text = textOf(await respond(1));
    expect(text).toContain('No response from');
    expect(text).toContain(`idempotency_key ${String(keys()[0])}`);
    expect(made.size).toBe(1);
    await end();
  });

  test("is answered with the gateway's refusal", async () => {
    const { write, respond, end } = start();
    line.disturb({
      ...creates,
      response: { status: 401, body: { error: { code: 'x', message: 'No.' } } },
    });
    write(create(1));
    expect(textOf(await respond(1))).toBe('No.');
    line.disturb({ ...creates, response: { status: 404, body: {} } });
    write(create(2));
    expect(textOf(await respond(2))).toContain('MCP=off');
    line.disturb({ ...creates, response: { status: 200, body: 'a page' } });
    // The response to an accepted create request may be replaced by a page.
    write(create(3));
    expect((await respond(3)).result?.structuredContent).toMatchObject({ id: idOf(0) });
    line.disturb({
      ...creates,
      response: { status: 302, headers: { location: 'https://evil.example' } },
    });
    write({ id: 4, method: 'tools/list', params: { note: 'create_image' } });
    expect((await respond(4)).error?.code).toBe(-32000);
    await end();
  });
});

describe('the credits of a connection', () => {
  test('are spent by all its creates together, even concurrent ones', async () => {
    const { write, respond, end } = start('--max-credits', '100');
    for (const id of [1, 2, 3]) write(create(id));
    await Promise.all([1, 2, 3].map((id) => respond(id)));
    expect(limits()).toEqual([100, 60, 20]);
    write(create(4, image({ idempotency_key: String(keys()[0]) })));
    await respond(4);
    write(create(5));
    await respond(5);
    expect(limits().slice(3)).toEqual([0, 0]);
    await end();
  });

  test('are reported to a create refused for its price: the remaining and the total credits', async () => {
    const { write, respond, end } = start('--max-credits', '100');
    write(create(1));
    write(create(2, image({ prompt: tooDear })));
    const { error } = JSON.parse(textOf(await respond(2))) as { error: object };
    expect(error).toMatchObject({
      code: 'price_above_limit',
      message: '60 of 100 credits are left. This needs 80 credits.',
    });
    await end();
  });

  test('wait for a create that has no response', async () => {
    const { write, respond, end } = start('--max-credits', '100');
    line.disturb({ ...creates, cut: true, forwarded: true, times: 99 });
    write(create(1));
    await respond(1);
    line.reset();
    const key = String(keys()[0]);
    const sent = server.commands.length;
    write(create(2));
    expect(textOf(await respond(2))).toContain(
      `Repeat it first, with the same arguments and the idempotency_key ${key}`,
    );
    expect(server.commands.length).toBe(sent);
    write(create(3, image({ idempotency_key: key })));
    expect((await respond(3)).result?.structuredContent).toMatchObject({ id: idOf(0) });
    write(create(4));
    await respond(4);
    expect(limits().at(-1)).toBe(60);
    await end();
  });
});

test('progress comes ahead of the response, and a cut stream is requested again', async () => {
  const { write, respond, end, said } = start();
  polls.push({ ...queued, retry_after_seconds: 1 });
  const token = { progressToken: 'p' };
  const params = { name: 'wait_for_generation', arguments: { id: queued.id }, _meta: token };
  line.disturb({ method: 'POST', path: '/mcp', cutAfter: 400 });
  write({ id: 1, method: 'tools/call', params });
  expect((await respond(1)).result?.structuredContent).toMatchObject({ status: 'completed' });
  expect(await end()).toBe(0);
  expect(said).toMatchObject([
    { method: 'notifications/progress', params: { ...token, message: 'queued' } },
    { id: 1 },
  ]);
  expect(line.seen).toHaveLength(2);
});

test('a request that the client cancels ends, without a response', async () => {
  const { write, respond, end, said } = start();
  const held = Promise.withResolvers<undefined>();
  line.disturb({ ...creates, cut: true, meanwhile: () => held.promise });
  write(create(1));
  await until(() => line.seen.length === 1, 'it is on its way');
  write({ method: 'notifications/cancelled', params: { requestId: 1 } });
  write({ id: 2, method: 'ping' });
  await respond(2);
  expect(await end()).toBe(0);
  held.resolve(undefined);
  expect(said.map(({ id }) => id)).toEqual([2]);
});
