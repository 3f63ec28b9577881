import fc from 'fast-check';
import { expect, test } from '@jest/globals';
import { bridge } from '../../../integrations/typescript/src/cli/mcp/bridge.ts';
import { readSettings } from '../../../integrations/typescript/src/settings.ts';
import { generation, generationId, noAnswers, type WildAnswer } from '../support/wildAnswers.ts';

interface Told {
  id: number;
  result: { isError?: boolean; content: { text: string }[]; structuredContent?: { id: string } };
}

const result = (structuredContent: object) => ({ content: [], structuredContent });
const rpc = (more: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, ...more });
const good = { status: 200, body: rpc({ result: result(generation('queued')) }) };

/** 2xx answers other than the gateway's messages: pages, truncated ones, and messages without a generation. */
const wrongAnswers: fc.Arbitrary<WildAnswer> = fc.oneof(
  noAnswers,
  noAnswers.map(({ status, body }) => ({ status, body: rpc({ result: body }) })),
  fc
    .constantFrom({}, { id: 'gen_1' }, { id: generationId, status: 'asleep' })
    .map((each) => ({ status: 200, body: rpc({ result: result(each) }) })),
  fc.nat(good.body.length - 1).map((to) => ({ status: 200, body: good.body.slice(0, to) })),
);

/** Calls one tool through the bridge, on a clock that only advances by its waits. */
async function callTool(
  name: string,
  args: object,
  answers: readonly WildAnswer[],
  maxCredits?: number,
) {
  let now = 0;
  const sent: { params: { arguments: { idempotency_key?: string } } }[] = [];
  const settings = readSettings({
    baseUrl: 'https://api.example.com/v1',
    apiKey: `fg_live_${'a1B2'.repeat(9)}zz`,
    platform: {
      now: () => now,
      random: () => 0,
      newKey: () => 'key-1',
      async sleep(ms) {
        now += ms;
      },
      async fetch(_, init) {
        sent.push(JSON.parse(init.body as string) as (typeof sent)[number]);
        const { status, body } = answers[Math.min(sent.length, answers.length) - 1] ?? good;
        return new Response(body, { status });
      },
    },
  });
  const written: Told[] = [];
  const call = { method: 'tools/call', params: { name, arguments: args } };
  await bridge(
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

const property = (check: (wrong: WildAnswer) => Promise<void>) =>
  fc.assert(fc.asyncProperty(wrongAnswers, check), { numRuns: 60 });

test('an unusable 2xx answer to a create is repeated with its key', () =>
  property(async (wrong) => {
    const { told, sent } = await callTool('create_video', {}, [wrong, wrong, good], 100);
    expect(told?.structuredContent?.id).toBe(generationId);
    const keys = sent.map(({ params }) => params.arguments.idempotency_key);
    expect(keys).toEqual(['mcp-key-1', 'mcp-key-1', 'mcp-key-1']);
  }));

test('when it persists, a create ends with its key, and with the id if one was given', () =>
  property(async (wrong) => {
    const { told } = await callTool('create_video', {}, [wrong]);
    expect(told?.isError).toBe(true);
    const text = told?.content[0]?.text ?? '';
    expect(text).toContain('idempotency_key mcp-key-1');
    if (wrong.body.includes(`"id":"${generationId}"`)) expect(text).toContain(generationId);
  }));

test('an unusable 2xx answer to a poll is repeated, and ends with the id when it persists', () =>
  property(async (wrong) => {
    const args = { id: generationId };
    const { told, sent } = await callTool('get_generation', args, [wrong, wrong, good]);
    expect([told?.structuredContent?.id, sent.length]).toEqual([generationId, 3]);
    const never = await callTool('wait_for_generation', args, [wrong]);
    expect(never.told?.isError).toBe(true);
    expect(never.told?.content[0]?.text).toContain(generationId);
  }));

test('errors of the gateway are passed on unchanged', async () => {
  const isError = { isError: true, content: [{ type: 'text', text: '{"error":{}}' }] };
  const body = rpc({ result: isError });
  const { told, sent } = await callTool('create_video', {}, [{ status: 200, body }]);
  expect([told, sent.length]).toEqual([isError, 1]);
});
