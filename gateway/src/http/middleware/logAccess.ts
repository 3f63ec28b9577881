import type { Clock, Log } from '../../application/ports/system.ts';
import type { HttpContext, HttpMiddleware } from '../context.ts';

/** Counts each answered request for the metrics. */
export type RecordRequest = (request: {
  method: string;
  route: string;
  status: number;
  ms: number;
}) => void;

/**
 * Logs each request once its answer is out or its client has gone: method, route, status, error code,
 * ms, request and trace id, account and key id. Never the path itself (it may hold a signature), a header or a body.
 */
export function logAccess(
  log: Log,
  clock: Pick<Clock, 'now'>,
  mediaPath: string,
  record?: RecordRequest,
): HttpMiddleware {
  const outputs = `${mediaPath.replace(/\/$/, '')}/outputs/`;

  return (ctx, next) => {
    const startedAt = clock.now();
    ctx.res.once('close', () => {
      const { requestId, traceId, caller, refused } = ctx.state;
      const route = matchedRoute(ctx) ?? (ctx.path.startsWith(outputs) ? `${outputs}*` : 'none');
      const fields = {
        requestId,
        ...(traceId !== null && { trace_id: traceId }),
        method: ctx.method,
        route,
        status: ctx.res.statusCode,
        ...(refused && { code: refused }),
        ms: Math.max(0, clock.now() - startedAt),
        ...(caller && { accountId: caller.accountId, keyId: caller.keyId }),
        // The client left before the end of its answer.
        ...(!ctx.res.writableFinished && { cut: true }),
      };
      record?.(fields);
      // Probes come every few seconds and say nothing about customers.
      if (route === '/healthz' || route === '/readyz') log.debug(fields, 'request');
      else log.info(fields, 'request');
    });
    return next();
  };
}

/** The pattern of the route, as `/v1/generations/:id`. */
export function matchedRoute(ctx: HttpContext): string | undefined {
  const matched: unknown = ctx['_matchedRoute'];
  return typeof matched === 'string' ? matched : undefined;
}
