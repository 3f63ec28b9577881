import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFakeChatModel, type FakeChatModel } from './support/fakeChatModel.ts';
import { prepareN8nWorld, type N8nWorld } from './support/n8nWorld.ts';

/* n8n's own MCP Client, given to an agent as its tool. */

let world: N8nWorld;
let chat: FakeChatModel;

const bearer = { id: 'framegateBearer01', name: 'Framegate key' };
const model = { id: 'chatModelOfMcp001', name: 'Chat model of MCP' };

/** An agent with the tool; the address of the gateway is filled in. */
const workflow = {
  ...{ id: 'framegateMcpAgent', name: 'MCP', active: false, settings: { executionOrder: 'v1' } },
  nodes: [
    {
      ...{ id: 'mcp-1', name: 'When clicking Execute', typeVersion: 1, position: [0, 0] },
      ...{ type: 'n8n-nodes-base.manualTrigger', parameters: {} },
    },
    {
      ...{ id: 'mcp-2', name: 'AI Agent', typeVersion: 3, position: [220, 0] },
      type: '@n8n/n8n-nodes-langchain.agent',
      parameters: { promptType: 'define', text: 'Make a picture of a lighthouse.', options: {} },
    },
    {
      ...{ id: 'mcp-3', name: 'Chat model', typeVersion: 1.2, position: [160, 220] },
      type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
      parameters: { model: { __rl: true, mode: 'list', value: 'gpt-4.1-mini' }, options: {} },
      credentials: { openAiApi: model },
    },
    {
      ...{ id: 'mcp-4', name: 'Framegate', typeVersion: 1.2, position: [320, 220] },
      type: '@n8n/n8n-nodes-langchain.mcpClientTool',
      parameters: {
        endpointUrl: 'set below',
        serverTransport: 'httpStreamable',
        authentication: 'bearerAuth',
        include: 'selected',
        includeTools: ['create_image'],
        options: { timeout: 60_000 },
      },
      credentials: { httpBearerAuth: bearer },
    },
  ],
  connections: {
    'When clicking Execute': { main: [[{ node: 'AI Agent', type: 'main', index: 0 }]] },
    'Chat model': {
      ai_languageModel: [[{ node: 'AI Agent', type: 'ai_languageModel', index: 0 }]],
    },
    Framegate: { ai_tool: [[{ node: 'AI Agent', type: 'ai_tool', index: 0 }]] },
  },
};

beforeAll(async () => {
  const prompt = 'A lighthouse at dawn';
  chat = await startFakeChatModel({ model: 'image-b-2', prompt, idempotency_key: 'lighthouse-1' });
  world = await prepareN8nWorld([], async (framegate) => {
    const account = await framegate.addAccount();
    return [
      { ...bearer, type: 'httpBearerAuth', data: { token: account.apiKey } },
      { ...model, type: 'openAiApi', data: { apiKey: 'not-a-real-key', url: chat.url } },
    ];
  });
  const endpointUrl = world.framegate.baseUrl.replace(/\/v1$/, '/mcp');
  const nodes = workflow.nodes.map((node) =>
    node.name === 'Framegate' ? { ...node, parameters: { ...node.parameters, endpointUrl } } : node,
  );
  await world.n8n.importWorkflows([{ ...workflow, nodes }]);
  await world.n8n.start();
}, 900_000);

afterAll(async () => {
  await chat.close();
  await world.stop();
}, 60_000);

test('an agent makes a picture by the tools of the gateway, and a second run repeats the create', async () => {
  const ids = new Set<string>();
  for (let i = 0; i < 2; i += 1) {
    const execution = await world.n8n.runToEnd(workflow.id);
    expect(execution).toMatchObject({ status: 'success' });
    const [item] = execution.runs['AI Agent']?.at(-1)?.data?.['main']?.[0] ?? [];
    ids.add(/gen_[0-9a-z]{26}/.exec(String(item?.json['output']))?.[0] ?? '');
  }
  expect([...ids]).toEqual([expect.stringMatching(/^gen_/)]);
  expect(String(chat.offered[0])).toMatch(/create_image$/);
});
