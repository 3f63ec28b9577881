import type * as mcp from '@modelcontextprotocol/server';
import { callTool, isTool, type ToolCall, type ToolDeps } from './callTool.ts';
import type { ContractSchemas } from './contractSchemas.ts';
import { describeTools, instructions } from './tools.ts';
import type { Wait } from './waits.ts';

/** Dependencies of the protocol beside those of the tools. */
export interface ServeDeps extends ToolDeps {
  schemas: ContractSchemas;
  /** Of the gateway. */
  version: string;
}

/** The circumstances of a call that its message does not carry. */
export type CallFrame = Omit<ToolCall, 'tool' | 'args' | 'rpcId' | 'tell'> & {
  /** Told when the message reaches a tool, which counts it. */
  noteCall: () => void;
};

/** The answer to a message. */
export interface McpAnswer {
  status: number;
  /** JSON text, which may be empty, or a stream of events. */
  body: string | AsyncIterable<Uint8Array>;
}

/**
 * Answers one message of the Model Context Protocol, of the revision of 2026-07-28 and of those before
 * it, by the official SDK: one server for each request, and nothing kept between two.
 */
export function createMcpServer(deps: ServeDeps) {
  const sdk = loadSdkOnce();
  const tools = {
    withSession: describeTools(deps.schemas, true),
    withoutSession: describeTools(deps.schemas, false),
  };

  return async function serve(
    request: Request,
    message: object,
    frame: CallFrame,
  ): Promise<McpAnswer> {
    const {
      McpServer,
      createMcpHandler,
      isLegacyRequest,
      WebStandardStreamableHTTPServerTransport,
    } = await sdk();
    const info = { name: 'framegate', title: 'Framegate', version: deps.version };
    // The list of tools changes with a release only, and nobody could be told.
    const capabilities = { tools: { listChanged: false } };
    const server = new McpServer(info, { capabilities, instructions });
    if (await isLegacyRequest(request, message)) {
      addTools(server, deps, tools.withSession, frame);
      const enableJsonResponse = !asksForProgress(message);
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse });
      await server.connect(transport);
      const response = await transport.handleRequest(request, { parsedBody: message });
      return answerOf(response, () => server.close());
    }
    addTools(server, deps, tools.withoutSession, frame);
    // It also serves changes of lists.
    const handler = createMcpHandler(() => server, { legacy: 'reject', maxSubscriptions: 0 });
    return answerOf(await handler.fetch(request, { parsedBody: message }));
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
    const { name: tool, arguments: args = {}, _meta: meta } = params;
    if (!isTool(tool)) throw Object.assign(new Error('There is no such tool.'), { code: -32602 });
    frame.noteCall();
    const tell = progressTo(mcpReq, meta?.progressToken);
    return callTool(deps, { ...frame, tool, args, rpcId: mcpReq.id, tell });
  });
}

/** Tells the caller of a wait how it stands; one that has not asked for it is not told. */
function progressTo(
  { notify }: Pick<mcp.ServerContext['mcpReq'], 'notify'>,
  progressToken: string | number | undefined,
): Wait['tell'] {
  if (progressToken === undefined) return () => undefined;
  return ({ status }, seconds) => {
    const params = { progressToken, progress: seconds, message: status };
    // A caller that has gone needs no progress.
    notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

/** Whether a message is a wait whose caller asks to be told of its progress. */
function asksForProgress(message: { params?: unknown }): boolean {
  const { name, _meta: meta } = (message.params ?? {}) as {
    name?: unknown;
    _meta?: { progressToken?: unknown } | null;
  };
  return name === 'wait_for_generation' && meta?.progressToken !== undefined;
}

/** @param done Called when the answer has ended. */
async function answerOf(
  response: Response,
  done: () => Promise<void> = async () => undefined,
): Promise<McpAnswer> {
  const { status, body, headers } = response;
  if (body === null || headers.get('content-type') !== 'text/event-stream') {
    const text = await response.text();
    await done();
    return { status, body: text };
  }
  const chunks = body.values();
  // With the first event it is known whether a tool was called.
  const first = await chunks.next();
  async function* events() {
    try {
      for (let next = first; next.done !== true; next = await chunks.next()) yield next.value;
    } finally {
      await chunks.return?.();
      await done();
    }
  }
  return { status, body: events() };
}

/** The SDK takes half a second and 25 MB: only a gateway that is asked has it. */
function loadSdkOnce() {
  let loading: Promise<typeof mcp> | null = null;
  return () => (loading ??= import('@modelcontextprotocol/server'));
}
