import { minuteMs } from '@framegate/contract';
import type { N8nWorld } from './n8nWorld.ts';

/* An agent in n8n that has the gateway's MCP tools in place of the node. */

/** The credential with the API key, for n8n's MCP client. */
export const bearer = { id: 'framegateBearer01', name: 'Framegate key' };
/** The credential of the agent's chat model. */
export const model = { id: 'chatModelOfMcp001', name: 'Chat model of MCP' };

/** The agent; the URL of the gateway is filled in at its import. */
export const mcpWorkflow = {
  id: 'framegateMcpAgent',
  name: 'MCP',
  active: false,
  settings: { executionOrder: 'v1' },
  nodes: [
    {
      id: 'mcp-1',
      name: 'When clicking ‘Execute workflow’',
      typeVersion: 1,
      position: [0, 0],
      type: 'n8n-nodes-base.manualTrigger',
      parameters: {},
    },
    {
      id: 'mcp-2',
      name: 'AI Agent',
      typeVersion: 3,
      position: [220, 0],
      type: '@n8n/n8n-nodes-langchain.agent',
      parameters: { promptType: 'define', text: 'Make a picture of a lighthouse.', options: {} },
    },
    {
      id: 'mcp-3',
      name: 'Chat model',
      typeVersion: 1.2,
      position: [160, 220],
      type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
      parameters: { model: { __rl: true, mode: 'list', value: 'gpt-4.1-mini' }, options: {} },
      credentials: { openAiApi: model },
    },
    {
      id: 'mcp-4',
      name: 'Framegate',
      typeVersion: 1.2,
      position: [320, 220],
      type: '@n8n/n8n-nodes-langchain.mcpClientTool',
      parameters: {
        endpointUrl: 'set below',
        serverTransport: 'httpStreamable',
        authentication: 'bearerAuth',
        include: 'selected',
        includeTools: ['create_image'],
        options: { timeout: minuteMs },
      },
      credentials: { httpBearerAuth: bearer },
    },
  ],
  connections: {
    'When clicking ‘Execute workflow’': { main: [[{ node: 'AI Agent', type: 'main', index: 0 }]] },
    'Chat model': {
      ai_languageModel: [[{ node: 'AI Agent', type: 'ai_languageModel', index: 0 }]],
    },
    Framegate: { ai_tool: [[{ node: 'AI Agent', type: 'ai_tool', index: 0 }]] },
  },
};

/** Stores the agent with the URL of the gateway. */
export async function addMcpWorkflow({ n8n, framegate }: N8nWorld): Promise<void> {
  const endpointUrl = framegate.baseUrl.replace(/\/v1$/, '/mcp');
  const nodes = mcpWorkflow.nodes.map((node) =>
    node.name === 'Framegate' ? { ...node, parameters: { ...node.parameters, endpointUrl } } : node,
  );
  await n8n.addWorkflow({ ...mcpWorkflow, nodes });
}
