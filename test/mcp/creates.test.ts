import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { image } from '../support/bodies.ts';
import { connectMcp, errorOf } from './support/mcpClient.ts';
import { key, type McpWorld, useMcp } from './support/useMcp.ts';

/* Costs of creates through the tools: repeats, and the limit of a connection. */

const world = useMcp();
let { gateway, account, mcp } = {} as McpWorld;
beforeAll(() => {
  ({ gateway, account, mcp } = world());
});

const connect = (more: { headers?: Record<string, string>; isModern?: boolean } = {}) =>
  connectMcp({ origin: gateway.origin, apiKey: account.apiKey, ...more });
const available = async () => Number((await account.get('/v1/credits/balance')).json['available']);

/** Posts a protocol message unchanged. */
async function post(message: object, headers: Record<string, string> = {}) {
  const accept = 'application/json, text/event-stream';
  return account.post('/mcp', message, { accept, 'idempotency-key': undefined, ...headers });
}

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

  test('a key of the caller is the key of the API, over any connection', async () => {
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

  test('without a session a key is required', async () => {
    const before = await available();
    const { json } = await post(call(1, image()));
    const error = errorOf(json['result'] as Parameters<typeof errorOf>[0]);
    expect(error).toMatchObject({ code: 'idempotency_key_missing' });
    expect(error['message']).toContain('argument idempotency_key');
    expect(await available()).toBe(before);
  });

  test('clients of the revision without sessions are told that they need a key', async () => {
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
    expect(refused['message']).toContain('needs 6 credits, and the limit is 5');
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
