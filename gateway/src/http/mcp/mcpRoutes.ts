import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Router } from '@koa/router';
import type { Slot } from '@framegate/limits';
import type { Clock } from '../../application/ports/system.ts';
import type { WorkSlots } from '../../application/workKinds.ts';
import { Refusal } from '../../domain/refusal.ts';
import { callerNamed, does, exchangeSlot, runInSlot } from '../atWork.ts';
import {
  callerAddress,
  callerOf,
  disconnectSignalOf,
  type HttpContext,
  type HttpMiddleware,
  type RequestState,
  sendJson,
} from '../context.ts';
import { parseJsonBody } from '../jsonBody.ts';
import type { ApiDocument } from '../site/docs/apiDocument.ts';
import { strictRouter } from '../strictRouter.ts';
import { authenticateCaller, takeRead } from '../v1/routes.ts';
import { isTool, type ToolDeps } from './callTool.ts';
import { createMcpServer, type McpServerDeps } from './serve.ts';
import { createWaits } from './waits.ts';

/** Options of the Model Context Protocol. */
export interface Mcp extends Pick<McpServerDeps, 'estimateCost' | 'store' | 'version'> {
  /** Origins of the gateway's own pages; requests with any other Origin are refused. */
  origins: readonly string[];
  /** Aborted when the process stops, which ends open waits. */
  stopSignal: AbortSignal;
}

type McpDeps = Pick<ToolDeps, 'useCases' | 'allowances' | 'log' | 'isDatabaseTrouble'> &
  Pick<McpServerDeps, 'brand'> & {
    openApi: () => ApiDocument;
    clock: Pick<Clock, 'now'>;
    slots: WorkSlots;
  };

/**
 * `POST /mcp`: the Model Context Protocol over Streamable HTTP, without sessions. Responses are JSON, or a stream
 * of events for a wait with progress. Invalid requests get the usual error responses; errors of tools are results.
 */
export function mcpRoutes(deps: McpDeps, mcp: Mcp): Router<RequestState> {
  const { useCases, allowances, openApi, clock, brand, log, isDatabaseTrouble, slots } = deps;
  const serve = createMcpServer({
    useCases,
    allowances,
    log,
    isDatabaseTrouble,
    brand,
    estimateCost: mcp.estimateCost,
    store: mcp.store,
    version: mcp.version,
    wait: createWaits({ clock, stopSignal: mcp.stopSignal }),
    schemas: () => openApi().components?.schemas ?? {},
  });
  const router = strictRouter<RequestState>();
  const authenticate = authenticateCaller(useCases.authenticate);
  const json = parseJsonBody(allowances);
  const respond = async (ctx: HttpContext, slot: Slot) => {
    const message = ctx.state.json as Record<string, unknown>;
    const caller = callerOf(ctx);
    // Tools use the allowance of the equivalent API request; any other message counts as a read.
    let isCounted = !namesTool(message);
    if (isCounted) takeRead(allowances, caller, 'other-reads');
    const { status, body } = await serve(requestOf(ctx), message, {
      caller,
      callerAddress: callerAddress(ctx),
      requestId: ctx.state.requestId,
      session: headerOf(ctx, 'mcp-session-id'),
      maxCredits: maxCreditsOf(ctx),
      disconnectSignal: disconnectSignalOf(ctx.res),
      beginWait: () =>
        exchangeSlot(slot, slots, { kind: 'toolWait', caller: callerNamed(caller.accountId) }),
      recordRefusal(code) {
        ctx.state.refused = code;
      },
      recordCall() {
        isCounted = true;
      },
    });
    // The SDK refused the call before it reached a tool.
    if (!isCounted) takeRead(allowances, caller, 'other-reads');
    // The id identifies a client's connection, for `createKey`; nothing is stored.
    if (message['method'] === 'initialize') ctx.set('Mcp-Session-Id', randomUUID());
    ctx.status = status;
    if (typeof body !== 'string') {
      ctx.set(eventHeaders);
      ctx.body = Readable.from(body, { objectMode: false });
    } else if (body !== '') {
      sendJson(ctx, status, body);
    }
  };
  router.post('/mcp', requireOrigin(mcp.origins), authenticate, json, does('mcp'), (ctx) =>
    runInSlot(ctx, slots, { kind: 'mcp', caller: callerNamed(callerOf(ctx).accountId) }, (slot) =>
      respond(ctx, slot),
    ),
  );
  return router;
}

/** Headers that keep proxies from buffering events. */
const eventHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/** True for a call of an existing tool. */
function namesTool({ method, params }: Record<string, unknown>): boolean {
  const name = typeof params === 'object' && params !== null && 'name' in params && params.name;
  return method === 'tools/call' && typeof name === 'string' && isTool(name);
}

/**
 * Refuses requests from pages of other sites, including DNS rebinding, because browsers send the page's
 * origin. Programs send none.
 */
function requireOrigin(origins: readonly string[]): HttpMiddleware {
  return async (ctx, next) => {
    const origin = headerOf(ctx, 'origin');
    if (origin === undefined || origins.includes(origin)) {
      await next();
      return;
    }
    const message = 'Requests from web pages are not accepted: never use a key in a browser.';
    const error = { code: -32000, message };
    sendJson(ctx, 403, JSON.stringify({ jsonrpc: '2.0', id: null, error }));
  };
}

/** Request head for the SDK, which ignores the URL. */
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

/** @throws Refusal for an invalid limit. */
function maxCreditsOf(ctx: HttpContext): number | undefined {
  const text = headerOf(ctx, 'framegate-max-credits');
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Refusal('invalid_request', {
    message: 'The header Framegate-Max-Credits must be a whole number of credits.',
  });
}
