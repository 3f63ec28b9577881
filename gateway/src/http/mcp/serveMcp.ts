import type * as mcp from '@modelcontextprotocol/server';
import { callTool, isTool, type ToolCall, type ToolDeps } from './callTool.ts';
import { describeTools, instructions, type ContractSchemas } from './tools.ts';

/** What serving the protocol needs beside the tools. */
export interface ServeDeps extends ToolDeps {
  schemas: ContractSchemas;
  /** Of this API. */
  version: string;
}

/** Everything of a call but what the message itself says. */
export type CallFrame = Omit<ToolCall, 'tool' | 'args' | 'rpcId'>;

/**
 * Answers one message of the Model Context Protocol, of the revision of 2026-07-28 and of those before
 * it, by the official SDK: one server for each request, and nothing kept between two.
 * @returns JSON text, or an empty body.
 */
export function createMcpServer(deps: ServeDeps) {
  const sdk = loadSdkOnce();
  const tools = {
    withSession: describeTools(deps.schemas, true),
    withoutSession: describeTools(deps.schemas, false),
  };

  return async function serve(request: Request, message: object, frame: CallFrame) {
    const {
      McpServer,
      createMcpHandler,
      isLegacyRequest,
      WebStandardStreamableHTTPServerTransport,
    } = await sdk();
    const info = { name: 'framegate', title: 'Framegate', version: deps.version };
    const server = new McpServer(info, { capabilities: { tools: {} }, instructions });
    if (await isLegacyRequest(request, message)) {
      addTools(server, deps, tools.withSession, frame);
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      await server.connect(transport);
      try {
        return await transport.handleRequest(request, { parsedBody: message });
      } finally {
        await server.close();
      }
    }
    addTools(server, deps, tools.withoutSession, frame);
    // Nothing ever changes that a client could be told of: no stream for that is opened.
    const handler = createMcpHandler(() => server, { legacy: 'reject', maxSubscriptions: 0 });
    return handler.fetch(request, { parsedBody: message });
  };
}

/** By hand and not by `registerTool`: arguments are checked by the API's own rules, in its own words. */
function addTools(
  { server }: mcp.McpServer,
  deps: ServeDeps,
  tools: mcp.Tool[],
  frame: CallFrame,
): void {
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { name: tool, arguments: args = {} } = params;
    if (!isTool(tool)) throw Object.assign(new Error('There is no such tool.'), { code: -32602 });
    return callTool(deps, { ...frame, tool, args, rpcId: mcpReq.id });
  });
}

/** The SDK takes half a second and 25 MB: only a gateway that is asked has it. */
function loadSdkOnce() {
  let loading: Promise<typeof mcp> | null = null;
  return () => (loading ??= import('@modelcontextprotocol/server'));
}
