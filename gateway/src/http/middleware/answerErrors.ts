import type { Log } from '../../application/ports/log.ts';
import { DatabaseUnavailable } from '../../application/ports/storeErrors.ts';
import { Refusal } from '../../domain/refusal.ts';
import { answerJson } from '../answerJson.ts';
import type { HttpContext, HttpMiddleware } from '../context.ts';
import { describeError, isClientGone } from '../describeError.ts';
import { headersOf, presentRefusal, refusalFor, statusOf } from '../presentRefusal.ts';

/** Turns whatever a later step throws into our error answer; a bug is logged whole, and told as nothing. */
export function answerErrors(log: Log): HttpMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      answerError(ctx, error, log);
    }
  };
}

/** Headers that describe a body, which an error answer replaces by another one. */
const bodyHeaders = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Encoding',
  'Content-Length',
  'Content-Range',
  'ETag',
  'Last-Modified',
  'Location',
  'Retry-After',
];

/** Answers an error; logs it when it is ours. Nothing is answered to a client that has gone. */
export function answerError(ctx: HttpContext, error: unknown, log: Log): void {
  const { requestId } = ctx.state;
  logError(error, requestId, log);
  if (ctx.headerSent || !ctx.writable) {
    ctx.res.destroy();
    return;
  }
  const refusal = refusalFor(error);
  ctx.state.refused = refusal.code;
  for (const name of bodyHeaders) ctx.res.removeHeader(name);
  ctx.res.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(headersOf(refusal))) ctx.res.setHeader(name, value);
  answerJson(ctx, statusOf(refusal), JSON.stringify(presentRefusal(refusal, requestId)));
}

/** A refusal is in the access log; a database out of reach is the operator's; the rest is a bug. */
function logError(error: unknown, requestId: string, log: Log): void {
  if (error instanceof Refusal) return;
  const fields = { requestId, err: describeError(error) };
  if (isClientGone(error)) log.debug(fields, 'client went away');
  else if (error instanceof DatabaseUnavailable) log.warn(fields, 'database out of reach');
  else log.error(fields, 'request failed');
}
