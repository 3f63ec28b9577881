import type { ErrorCode } from '@framegate/contract';
import type Koa from 'koa';
import type { Caller } from '../application/authenticate.ts';

/** The state of one request, shared by the steps of the pipeline. */
export interface RequestState {
  /** Ours, always; a client's own `X-Request-Id` is not trusted. */
  requestId: string;
  /** The trace that it belongs to; null where neither the client nor this gateway traces. */
  traceId: string | null;
  /** Set once the API key has been recognised. */
  caller: Caller | null;
  /** Code of the error answer, if it is one. */
  refused: ErrorCode | null;
  /** The parsed JSON body of a create: a plain object. */
  json: unknown;
}

/** One request and its answer. */
export type HttpContext = Koa.ParameterizedContext<RequestState>;

/** A step of the request pipeline. */
export type HttpMiddleware = Koa.Middleware<RequestState>;

/** The Koa application. */
export type HttpApp = Koa<RequestState>;

/** The caller of a request whose route begins with `authenticate`. */
export function callerOf(ctx: HttpContext): Caller {
  if (ctx.state.caller === null) throw new Error('the route does not authenticate');
  return ctx.state.caller;
}

/** The caller's address, as `trustProxies` found it; empty when the connection is gone. */
export function callerAddress(ctx: HttpContext): string {
  return ctx.ip;
}
