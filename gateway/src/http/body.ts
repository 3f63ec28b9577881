import { koaBody } from 'koa-body';
import { errorCodeOf } from '@framegate/contract';
import type { HttpContext } from './context.ts';

/** An unreadable body. `parseJsonBody` and `parseForm` catch it and refuse the request. */
export class UnreadableBodyError extends Error {
  override readonly name = 'UnreadableBodyError';
  /** 413 beyond the limit, 415 for an unknown Content-Encoding, 400 for invalid content in a known one. */
  readonly status: 400 | 413 | 415;

  constructor(status: 400 | 413 | 415, cause?: unknown) {
    super(`a body cannot be read (${status})`, { cause });
    this.status = status;
  }
}

/**
 * Reads the whole body of a request, decompressed; empty without one.
 * @throws UnreadableBodyError, after which the connection can still be answered; DisconnectError if the client closed
 * the connection before its body was complete.
 */
export type ReadBody = (ctx: HttpContext) => Promise<Buffer>;

/**
 * Creates a reader of bodies with koa-body. Its parsers are off: they would parse a body before any check, and lose
 * details that the checks need (docs/adr/0015-request-bodies.md).
 * @param type Media type of the bodies; nothing is read of any other.
 * @param maxBytes Bytes allowed after decompression.
 */
export function createBodyReader(type: string, maxBytes: number): ReadBody {
  const read = koaBody({
    json: false,
    urlencoded: false,
    textTypes: [type],
    textLimit: maxBytes,
    includeUnparsed: true,
    // One character for each byte: decoded as UTF-8, invalid bytes would pass unnoticed.
    encoding: byteEncoding,
  });
  return async (ctx) => {
    const { req } = ctx;
    if (req.destroyed) throw new DisconnectError();
    lowerCoding(ctx);
    const gone = Promise.withResolvers<never>();
    const watch = () => {
      if (!req.readableEnded) gone.reject(new DisconnectError());
    };
    req.once('close', watch);
    try {
      // While decompressing, koa-body does not notice a closed connection.
      await Promise.race([read(ctx, async () => undefined), gone.promise]);
    } catch (error) {
      req.unpipe();
      // Drains the rest; otherwise the connection's next request would wait for it.
      req.resume();
      throw isDisconnect(error) ? error : new UnreadableBodyError(statusOf(error), error);
    } finally {
      req.off('close', watch);
    }
    const { rawBody = '' } = ctx.request;
    // A request may wait for minutes and no longer needs it.
    delete ctx.request.rawBody;
    return Buffer.from(rawBody, byteEncoding);
  };
}

const byteEncoding = 'binary';

/**
 * Names of codings are case-insensitive (RFC 9110 section 8.4.1), but not in koa-body, which also treats an empty name
 * as none.
 */
function lowerCoding({ req: { headers } }: HttpContext): void {
  const coding = headers['content-encoding'];
  if (coding === '') throw new UnreadableBodyError(415);
  if (coding !== undefined) headers['content-encoding'] = coding.toLowerCase();
}

/** Errors of a decompressor have no status: the content is invalid. */
function statusOf(error: unknown): UnreadableBodyError['status'] {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return status === 413 || status === 415 ? status : 400;
}

const disconnectCodes = new Set([
  'ECONNABORTED',
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_WRITE_AFTER_END',
  'ERR_STREAM_DESTROYED',
]);

/**
 * The client closed the connection before it had its response. The error handlers recognise it with `isDisconnect`, log
 * it at debug level and answer nothing.
 */
export class DisconnectError extends Error {
  override readonly name = 'DisconnectError';
}

/** Whether an error only reports that the client has disconnected. */
export function isDisconnect(error: unknown): boolean {
  if (error instanceof DisconnectError) return true;
  return disconnectCodes.has(errorCodeOf(error) ?? '');
}
