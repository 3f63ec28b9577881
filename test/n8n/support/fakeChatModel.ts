import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A chat model that calls the one tool it is given, and then answers with the tool's result. */
export interface FakeChatModel {
  /** URL for n8n's OpenAI credential. */
  url: string;
  /** Names of the offered tools, request by request. */
  offered: string[][];
  close(): Promise<void>;
}

interface Chat {
  messages: { role: string; content: unknown }[];
  tools?: { function: { name: string } }[];
}

/** Starts it on 127.0.0.1. @param args Its arguments for the tool. */
export async function startFakeChatModel(args: Record<string, unknown>): Promise<FakeChatModel> {
  const offered: string[][] = [];
  const server = createServer((request, response) => {
    const respond = async () => {
      const { messages, tools = [] } = (await json(request)) as Chat;
      offered.push(tools.map((tool) => tool.function.name));
      const told = messages.findLast(({ role }) => role === 'tool');
      const call = {
        id: 'call_1',
        type: 'function',
        function: { name: tools[0]?.function.name, arguments: JSON.stringify(args) },
      };
      const message = told
        ? { role: 'assistant', content: `The tool says: ${String(told.content)}` }
        : { role: 'assistant', content: null, tool_calls: [call] };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          id: 'chat_1',
          object: 'chat.completion',
          created: 1,
          model: 'gpt-4.1-mini',
          choices: [{ index: 0, message, finish_reason: told ? 'stop' : 'tool_calls' }],
          usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
        }),
      );
    };
    respond().catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    offered,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
