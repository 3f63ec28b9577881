import type { Log } from '@framegate/contract';
import type { Meters } from '../../application/meters.ts';
import { type Clock, noTraces, type Traces } from '../../application/ports/system.ts';
import { addressGroup } from '../../domain/network/addresses.ts';
import { parseTraceparent } from '../../domain/network/traceContext.ts';
import { callerAddress, type HttpContext, type HttpMiddleware } from '../context.ts';

/**
 * Logs each request when its response is sent or the client disconnects: method, route, status, error code,
 * ms, the caller's address group, request and trace id, account and key id. Never logs the path (it may contain a
 * signature), headers or bodies.
 */
export function logAccess(
  log: Log,
  clock: Pick<Clock, 'now'>,
  mediaPath: string,
  record?: Meters['recordRequest'],
): HttpMiddleware {
  const outputs = `${mediaPath}/outputs/`;

  return (ctx, next) => {
    const startedAt = clock.now();
    const from = addressGroup(callerAddress(ctx));
    ctx.res.once('close', () => {
      const { requestId, traceId, caller, operatorKey, refused } = ctx.state;
      const route = matchedRoute(ctx) ?? (ctx.path.startsWith(outputs) ? `${outputs}*` : 'none');
      const fields = {
        requestId,
        ...(traceId !== null && { trace_id: traceId }),
        method: ctx.method,
        route,
        from,
        status: ctx.res.statusCode,
        ...(refused && { code: refused }),
        ms: Math.max(0, clock.now() - startedAt),
        ...(caller && { accountId: caller.accountId, keyId: caller.keyId }),
        ...(operatorKey && { operatorKeyId: operatorKey.id }),
        // The client disconnected before the response was complete.
        ...(!ctx.res.writableFinished && { cut: true }),
      };
      record?.(fields);
      if (probes.includes(route)) log.debug(fields, 'request');
      else log.info(fields, 'request');
    });
    return next();
  };
}

/** Pattern of the matched route, such as `/v1/generations/:id`. */
export function matchedRoute(ctx: HttpContext): string | undefined {
  const matched: unknown = ctx['_matchedRoute'];
  return typeof matched === 'string' ? matched : undefined;
}

/** Health probes: frequent and irrelevant to customers' traffic. */
const probes = ['/healthz', '/readyz'];

/**
 * Records each request as a span of the client's trace (W3C Trace Context, `traceparent`) or of a new trace.
 * The span ends when the response is ready to be sent.
 */
export function traceRequests(traces: Traces): HttpMiddleware {
  return (ctx, next) => {
    const header = ctx.get('traceparent');
    const parent = header === '' ? null : parseTraceparent(header);
    const { state, method } = ctx;
    state.traceId = parent?.traceId ?? null;
    // Not `ctx.path`: the target has not been validated yet.
    if (traces === noTraces || probes.includes(ctx.req.url ?? '')) return next();
    const attributes = { 'http.request.method': method, 'framegate.request_id': state.requestId };
    return traces.runInSpan(method, { parent, kind: 'server', attributes }, async (span) => {
      state.traceId = traces.current()?.traceId ?? state.traceId;
      await next();
      const route = matchedRoute(ctx);
      if (route !== undefined) {
        span.rename(`${method} ${route}`);
        span.set({ 'http.route': route });
      }
      span.set({ 'http.response.status_code': ctx.status });
    });
  };
}
