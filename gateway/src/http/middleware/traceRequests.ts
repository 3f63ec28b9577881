import type { Traces } from '../../application/ports/traces.ts';
import { readTraceparent } from '../../domain/traceContext.ts';
import type { HttpMiddleware } from '../context.ts';
import { matchedRoute } from './logAccess.ts';

/** Probes come every few seconds and say nothing about customers. */
const probes = ['/healthz', '/readyz'];

/**
 * Takes each request, until its answer is made, as a span of its client's trace (W3C Trace Context,
 * `traceparent`), or of a new one.
 */
export function traceRequests(traces: Traces): HttpMiddleware {
  return (ctx, next) => {
    const parent = readTraceparent(ctx.get('traceparent'));
    const { state, method } = ctx;
    state.traceId = parent?.traceId ?? null;
    // Not `ctx.path`: what cannot be parsed is refused later.
    if (probes.includes(ctx.req.url ?? '')) return next();
    const attributes = { 'http.request.method': method, 'framegate.request_id': state.requestId };
    return traces.span(method, { parent, kind: 'server', attributes }, async (span) => {
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
