import { randomUUID } from 'node:crypto';
import { Router } from '@koa/router';
import type * as mcp from '@modelcontextprotocol/server';
import type { Clock } from '../../application/ports/system.ts';
import { Refusal } from '../../domain/refusal.ts';
import {
  answerJson,
  callerAddress,
  callerOf,
  type HttpContext,
  type HttpMiddleware,
  type RequestState,
} from '../context.ts';
import { parseJson } from '../jsonBody.ts';
import { authenticateCaller, takeRead } from '../v1/routes.ts';
import type { ApiDocument } from '../site/docs/apiDocument.ts';
import { callTool, isTool, type ToolCall, type ToolDeps } from './callTool.ts';
import { describeTools, instructions, type ContractSchemas } from './tools.ts';
import { createWaits } from './waits.ts';

/** What serving the protocol needs beside the tools. */
export interface ServeDeps extends ToolDeps {
  schemas: ContractSchemas;
  /** Of this API. */
  version: string;
}

/** Everything of a call but what the message itself says. */
export type CallFrame = Omit<ToolCall, 'tool' | 'args' | 'rpcId'> & {
  /** Told when the message reaches a tool, which counts it. */
  noteCall: () => void;
};

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
    frame.noteCall();
    return callTool(deps, { ...frame, tool, args, rpcId: mcpReq.id });
  });
}

/** The SDK takes half a second and 25 MB: only a gateway that is asked has it. */
function loadSdkOnce() {
  let loading: Promise<typeof mcp> | null = null;
  return () => (loading ??= import('@modelcontextprotocol/server'));
}

/** How the gateway speaks the Model Context Protocol. */
export interface Mcp extends Pick<ToolDeps, 'estimateCost' | 'store'> {
  /** Origins of our own pages; a request that names another comes from a strange page. */
  origins: readonly string[];
  /** Aborted when the process stops: open waits answer then. */
  stopping: AbortSignal;
}

type McpDeps = Pick<ToolDeps, 'useCases' | 'allowances' | 'log' | 'isDatabaseTrouble'> & {
  openApi: ApiDocument;
  clock: Pick<Clock, 'now'>;
};

/**
 * `POST /mcp`: the Model Context Protocol over Streamable HTTP, without sessions and with plain JSON
 * answers. What is wrong with the request itself is refused like everywhere; what a tool refuses is its
 * result.
 */
export function mcpRoutes(deps: McpDeps, mcp: Mcp): Router<RequestState> {
  const { useCases, allowances, openApi, clock, log, isDatabaseTrouble } = deps;
  const serve = createMcpServer({
    useCases,
    allowances,
    log,
    isDatabaseTrouble,
    estimateCost: mcp.estimateCost,
    store: mcp.store,
    wait: createWaits({ clock, stopping: mcp.stopping }),
    schemas: openApi.components?.schemas ?? {},
    version: openApi.info.version,
  });
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  const authenticate = authenticateCaller(useCases.authenticate);
  const json = parseJson(allowances);
  router.post('/mcp', requireOrigin(mcp.origins), authenticate, json, async (ctx) => {
    const message = ctx.state.json as Record<string, unknown>;
    const caller = callerOf(ctx);
    // A tool takes what the same request of the API takes; any other message counts as a read.
    let isCounted = !namesTool(message);
    if (isCounted) takeRead(allowances, caller, 'other-reads');
    const response = await serve(requestOf(ctx), message, {
      caller,
      callerAddress: callerAddress(ctx),
      requestId: ctx.state.requestId,
      session: headerOf(ctx, 'mcp-session-id'),
      maxCredits: maxCreditsOf(ctx),
      gone: goneOf(ctx),
      noteRefusal(code) {
        ctx.state.refused = code;
      },
      noteCall() {
        isCounted = true;
      },
    });
    // The SDK refused the call before any tool saw it.
    if (!isCounted) takeRead(allowances, caller, 'other-reads');
    // It names one connection of a client, by which a repeated request is recognised; nothing is stored.
    if (message['method'] === 'initialize') ctx.set('Mcp-Session-Id', randomUUID());
    const text = await response.text();
    ctx.status = response.status;
    if (text !== '') answerJson(ctx, response.status, text);
  });
  return router;
}

/** Whether a message asks for a tool that exists. */
function namesTool({ method, params }: Record<string, unknown>): boolean {
  const name = typeof params === 'object' && params !== null && 'name' in params && params.name;
  return method === 'tools/call' && typeof name === 'string' && isTool(name);
}

/**
 * Refuses what a page of another site sends: also one whose name was made to lead to this machine (DNS
 * rebinding), because browsers name the page's own origin. Programs name none.
 */
function requireOrigin(origins: readonly string[]): HttpMiddleware {
  return async (ctx, next) => {
    const origin = headerOf(ctx, 'origin');
    if (origin === undefined || origins.includes(origin)) {
      await next();
      return;
    }
    const message = 'Requests from web pages are not taken: a key must never be in a browser.';
    const error = { code: -32000, message };
    answerJson(ctx, 403, JSON.stringify({ jsonrpc: '2.0', id: null, error }));
  };
}

/** The head of a request as the SDK reads it. Its address says nothing there. */
function requestOf({ req }: HttpContext): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return new Request('http://gateway/mcp', { method: 'POST', headers });
}

function headerOf({ req }: HttpContext, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** @throws Refusal for a limit that could not be kept. */
function maxCreditsOf(ctx: HttpContext): number | undefined {
  const text = headerOf(ctx, 'framegate-max-credits');
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Refusal('invalid_request', {
    message: 'The header Framegate-Max-Credits must be a whole number of credits.',
  });
}

/** Aborted when the client closes the connection before it has its answer. */
function goneOf({ res }: HttpContext): AbortSignal {
  const gone = new AbortController();
  res.once('close', () => {
    gone.abort();
  });
  return gone.signal;
}
