import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type FakeChatModel, startFakeChatModel } from './support/fakeChatModel.ts';
import { addMcpWorkflow, bearer, mcpWorkflow, model } from './support/mcpWorkflow.ts';
import type { N8nWorld } from './support/n8nWorld.ts';
import { bytesOf, items, useN8n } from './support/useN8n.ts';
import { readExamples } from './support/workflows.ts';

/* The package's examples in real n8n, and an agent that has the gateway's MCP tools instead. */

/** Created by the example without blocking, by a process of n8n that has ended since. */
let leftWaiting: string;
/** Answers the agent with the MCP tools. */
let mcpChat: FakeChatModel;

/** The example with the agent, whose tool may spend less than the price of a picture. */
const poorAgent = 'framegatePoorAgent';
const poorAgents = (await readExamples())
  .filter(({ id }) => id === 'framegateAgentTool')
  .map((example) => ({
    ...(JSON.parse(
      JSON.stringify(example).replace('"maxCredits":10', '"maxCredits":5'),
    ) as typeof example),
    id: poorAgent,
  }));

const world = useN8n(
  poorAgents,
  async (gateway) => {
    const prompt = 'A lighthouse at dawn';
    const given = { model: 'image-b-2', prompt, idempotency_key: 'lighthouse-1' };
    mcpChat = await startFakeChatModel(given);
    const { apiKey } = await gateway.addAccount();
    return [
      { ...bearer, type: 'httpBearerAuth', data: { token: apiKey } },
      { ...model, type: 'openAiApi', data: { apiKey: 'not-a-real-key', url: mcpChat.url } },
    ];
  },
  async (prepared) => {
    await addMcpWorkflow(prepared);
    leftWaiting = await runUntilWaiting(prepared);
  },
);
afterAll(() => mcpChat.close());
let { framegate, chat, n8n } = {} as N8nWorld;
beforeAll(() => {
  ({ framegate, chat, n8n } = world());
});

describe('the examples run unchanged', () => {
  test('makes a file from a prompt', async () => {
    const execution = await n8n.runToEnd('framegatePromptVid');
    expect(execution).toMatchObject({ status: 'success' });
    const [name = ''] = await readdir(join(n8n.home, '.n8n-files'));
    const bytes = await readFile(join(n8n.home, '.n8n-files', name));
    const { url } = items(execution, 'Create video')[0]?.json ?? {};
    expect(name).toMatch(/\.mp4$/);
    expect(bytes).toEqual(await bytesOf(url));
  });

  test('makes images from the rows of a table', async () => {
    const execution = await n8n.runToEnd('framegateTableImg');
    expect(execution).toMatchObject({ status: 'success' });
    const pictures = items(execution, 'Pictures');
    expect(pictures.map(({ json }) => json['sku'])).toEqual(['boat-01', 'lamp-02', 'fern-03']);
    expect(pictures.map(({ binary }) => binary)).toEqual(
      [1, 2, 3].map(() => ({ data: expect.objectContaining({ mimeType: 'image/png' }) })),
    );
  });

  test('an AI agent makes a picture with the node as its tool', async () => {
    const execution = await n8n.runToEnd('framegateAgentTool');
    expect(execution).toMatchObject({ status: 'success' });
    expect(chat.offered[0]).toEqual(['create_image']);
    const response = String(items(execution, 'AI Agent')[0]?.json['output']);
    expect(response).toContain('"status":"completed"');
    expect(response).toContain('.png');
  });
});

test('an agent learns why its tool made no picture, and requests it once', async () => {
  const credits = { required: 6, available: 1 };
  const error = { code: 'insufficient_credits', message: 'no', details: [], credits };
  const response = { status: 402, body: { error } };
  framegate.line.disturb({ method: 'POST', path: '/v1/images', times: 9, response });
  const before = chat.offered.length;
  const execution = await n8n.runToEnd('framegateAgentTool');
  expect(execution).toMatchObject({ status: 'success' });
  const said = String(items(execution, 'AI Agent')[0]?.json['output']);
  expect(said).toContain('There are not enough credits');
  expect(said).toContain('Credits needed: 6');
  expect(framegate.line.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  expect(chat.offered.length - before).toBe(2);
});

test('an agent learns that its tool may not spend so much, and nothing is created', async () => {
  const execution = await n8n.runToEnd(poorAgent);
  expect(execution).toMatchObject({ status: 'success' });
  const said = String(items(execution, 'AI Agent')[0]?.json['output']);
  expect(said).toMatch(/would cost 6 credits, more than the maximum of 5/);
  expect(framegate.line.seen.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('an agent makes a picture by the tools of the gateway, and a second run repeats the create', async () => {
  const ids = new Set<string>();
  for (let i = 0; i < 2; i += 1) {
    const execution = await n8n.runToEnd(mcpWorkflow.id);
    expect(execution).toMatchObject({ status: 'success' });
    const [item] = items(execution, 'AI Agent');
    ids.add(/gen_[0-9a-z]{26}/.exec(String(item?.json['output']))?.[0] ?? '');
  }
  expect([...ids]).toEqual([expect.stringMatching(/^gen_/)]);
  expect(String(mcpChat.offered[0])).toMatch(/create_image$/);
});

describe('without blocking', () => {
  test('another process of n8n resumes an interrupted wait and gets the file', async () => {
    const { results } = (await n8n.request(
      'GET',
      `/executions?filter=${encodeURIComponent('{"workflowId":"framegateNoBlock1"}')}`,
    )) as { results: { id: string }[] };
    expect(results).toHaveLength(1);
    const execution = await n8n.until(results[0]?.id ?? '', 'success');
    expect(items(execution, 'Create video')[0]?.json).toMatchObject({
      id: leftWaiting,
      status: 'queued',
    });
    expect(items(execution, 'Download')[0]).toMatchObject({
      json: { id: leftWaiting, status: 'completed' },
      binary: { data: { mimeType: 'video/mp4' } },
    });
  });
});

/**
 * Runs the example without blocking from the command line, where n8n ends as soon as the execution
 * waits. It is due 65 seconds later; the other tests run in the meantime.
 */
async function runUntilWaiting({ n8n: workflows, account }: N8nWorld): Promise<string> {
  const said = await workflows.command('execute', '--id=framegateNoBlock1', '--rawOutput');
  const id = /gen_[0-9a-z]{26}/.exec(said)?.[0] ?? '';
  await account.untilEnded(id);
  return id;
}
