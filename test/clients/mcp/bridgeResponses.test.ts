import { describe, expect, test } from '@jest/globals';
import { runBridge } from '../../../integrations/typescript/src/cli/mcp/bridge.ts';
import { completeSettings } from '../../../integrations/typescript/src/settings.ts';
import { generation, generationId, type WildResponse } from '../support/wildResponses.ts';

interface Told {
  id: number;
  result: { isError?: boolean; content: { text: string }[]; structuredContent?: { id: string } };
}

const result = (structuredContent: object) => ({ content: [], structuredContent });
const rpc = (more: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, ...more });
const good = { status: 200, body: rpc({ result: result(generation('queued')) }) };

/** Bodies of 2xx responses other than the gateway's messages. The client's own tests read wilder generations. */
const wrongBodies = [
  ['a page', '<html>Sign in</html>'],
  ['nothing', ''],
  ['a truncated message', good.body.slice(0, -9)],
  ['a generation that is no message', JSON.stringify(generation('queued'))],
  ['a message with a text', rpc({ result: 'done' })],
  ['a message without a generation', rpc({ result: result({ id: 'gen_1' }) })],
  ['an unknown state', rpc({ result: result({ id: generationId, status: 'asleep' }) })],
] as const;

/** Calls one tool through the bridge, on a clock that only advances by its waits. */
async function callTool(
  name: string,
  args: object,
  responses: readonly WildResponse[],
  maxCredits?: number,
) {
  let nowMs = 0;
  const sent: { params: { arguments: { idempotency_key?: string } } }[] = [];
  const settings = completeSettings({
    baseUrl: 'https://api.example.com/v1',
    apiKey: `fg_live_${'a1B2'.repeat(9)}zz`,
    platform: {
      now: () => nowMs,
      random: () => 0,
      newKey: () => 'key-1',
      async sleep(ms) {
        nowMs += ms;
      },
      async fetch(_, init) {
        sent.push(JSON.parse(init.body as string) as (typeof sent)[number]);
        const { status, body } = responses[Math.min(sent.length, responses.length) - 1] ?? good;
        return new Response(body, { status });
      },
    },
  });
  const written: Told[] = [];
  const call = { method: 'tools/call', params: { name, arguments: args } };
  await runBridge(
    settings,
    {
      lines: (async function* () {
        yield rpc(call);
      })(),
      write: (message) => written.push(message as Told),
      signal: new AbortController().signal,
    },
    maxCredits,
  );
  expect(written).toHaveLength(1);
  return { told: written[0]?.result, sent };
}

describe.each(wrongBodies)('%s in a 2xx response', (_, body) => {
  const wrong = { status: 200, body };

  test('to a create is repeated with its key', async () => {
    const { told, sent } = await callTool('create_video', {}, [wrong, wrong, good], 100);
    expect(told?.structuredContent?.id).toBe(generationId);
    const keys = sent.map(({ params }) => params.arguments.idempotency_key);
    expect(keys).toEqual(['mcp-key-1', 'mcp-key-1', 'mcp-key-1']);
  });

  test('that persists ends a create with its key, and with the id if one was given', async () => {
    const { told } = await callTool('create_video', {}, [wrong]);
    expect(told?.isError).toBe(true);
    const text = told?.content[0]?.text ?? '';
    expect(text).toContain('idempotency_key mcp-key-1');
    if (body.includes(`"id":"${generationId}"`)) expect(text).toContain(generationId);
  });

  test('to a poll is repeated, and ends with the id when it persists', async () => {
    const args = { id: generationId };
    const { told, sent } = await callTool('get_generation', args, [wrong, wrong, good]);
    expect([told?.structuredContent?.id, sent.length]).toEqual([generationId, 3]);
    const never = await callTool('wait_for_generation', args, [wrong]);
    expect(never.told?.isError).toBe(true);
    expect(never.told?.content[0]?.text).toContain(generationId);
  });
});

test('errors of the gateway are passed on unchanged', async () => {
  const isError = { isError: true, content: [{ type: 'text', text: '{"error":{}}' }] };
  const body = rpc({ result: isError });
  const { told, sent } = await callTool('create_video', {}, [{ status: 200, body }]);
  expect([told, sent.length]).toEqual([isError, 1]);
});
