import type * as mcp from '@modelcontextprotocol/server';
import type { Brand } from '../../domain/brand/brand.ts';
import { once } from '../../domain/once.ts';
import { callTool, isTool, type ToolCall, type ToolDeps } from './callTool.ts';
import type { ContractSchemas } from './contractSchemas.ts';
import { describeTools, instructions } from './tools.ts';
import type { WaitingCall } from './waits.ts';

/** Dependencies of the protocol and its tools. */
export interface McpServerDeps extends ToolDeps {
  schemas: () => ContractSchemas;
  brand: Pick<Brand, 'name' | 'slug'>;
  /** Version of the gateway. */
  version: string;
}

/** Properties of a call that are not in its message. */
export type CallFrame = Omit<ToolCall, 'tool' | 'args' | 'rpcId' | 'report'> & {
  /** Callback when the message reaches a tool, which takes the allowance itself. */
  recordCall: () => void;
};

/** Response to one message. */
export interface McpResponse {
  status: number;
  /** JSON text, possibly empty, or a stream of events. */
  body: string | AsyncIterable<Uint8Array>;
}

/**
 * Answers messages of the Model Context Protocol, revision 2026-07-28 and earlier, with the official SDK: one
 * server per request and no state between requests.
 */
export function createMcpServer(deps: McpServerDeps) {
  const tools = {
    withSession: once(() => describeTools(deps.schemas(), true)),
    withoutSession: once(() => describeTools(deps.schemas(), false)),
  };

  return async function serve(
    request: Request,
    message: object,
    frame: CallFrame,
  ): Promise<McpResponse> {
    const {
      McpServer,
      createMcpHandler,
      isLegacyRequest,
      WebStandardStreamableHTTPServerTransport,
    } = await loadSdk();
    const { brand, version } = deps;
    const info = { name: brand.slug, title: brand.name, version };
    // The list of tools changes only with a release, and there is no session to notify.
    const capabilities = { tools: { listChanged: false } };
    const server = new McpServer(info, { capabilities, instructions });
    if (await isLegacyRequest(request, message)) {
      addTools(server, deps, tools.withSession(), frame);
      const enableJsonResponse = !asksForProgress(message);
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse });
      await server.connect(transport);
      const response = await transport.handleRequest(request, { parsedBody: message });
      return makeResponse(response, () => server.close());
    }
    addTools(server, deps, tools.withoutSession(), frame);
    // Without sessions there are no subscriptions.
    const handler = createMcpHandler(() => server, { legacy: 'reject', maxSubscriptions: 0 });
    return makeResponse(await handler.fetch(request, { parsedBody: message }));
  };
}

/** Without `registerTool`, so that the API's own rules and messages validate arguments. */
function addTools(
  { server }: mcp.McpServer,
  deps: McpServerDeps,
  tools: mcp.Tool[],
  frame: CallFrame,
): void {
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { name: tool, arguments: args = {}, _meta: meta } = params;
    if (!isTool(tool)) throw Object.assign(new Error('Unknown tool.'), { code: -32602 });
    frame.recordCall();
    const report = progressTo(mcpReq, meta?.progressToken);
    return callTool(deps, { ...frame, tool, args, rpcId: mcpReq.id, report });
  });
}

/** Sends progress notifications if the caller asked for them. */
function progressTo(
  { notify }: Pick<mcp.ServerContext['mcpReq'], 'notify'>,
  progressToken: string | number | undefined,
): WaitingCall['report'] {
  if (progressToken === undefined) return () => undefined;
  return ({ status }, seconds) => {
    const params = { progressToken, progress: seconds, message: status };
    // The client may have disconnected.
    notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

/** True for a wait with a progress token. */
function asksForProgress(message: { params?: unknown }): boolean {
  const { name, _meta: meta } = (message.params ?? {}) as {
    name?: unknown;
    _meta?: { progressToken?: unknown } | null;
  };
  return name === 'wait_for_generation' && meta?.progressToken !== undefined;
}

/** @param onComplete Called when the response is complete. */
async function makeResponse(
  response: Response,
  onComplete: () => Promise<void> = async () => undefined,
): Promise<McpResponse> {
  const { status, body, headers } = response;
  if (body === null || headers.get('content-type') !== 'text/event-stream') {
    const text = await response.text();
    await onComplete();
    return { status, body: text };
  }
  const chunks = body.values();
  // Reads the first event now: afterwards it is known whether a tool was called.
  const first = await chunks.next();
  async function* streamEvents() {
    try {
      for (let next = first; next.done !== true; next = await chunks.next()) yield next.value;
    } finally {
      await chunks.return?.();
      await onComplete();
    }
  }
  return { status, body: streamEvents() };
}

/**
 * Loads the SDK, which blocks the thread for up to half a second and takes 25 MB: a process does so before it listens,
 * so that an agent's first request delays no other.
 */
export const loadSdk = (): Promise<typeof mcp> => import('@modelcontextprotocol/server');
