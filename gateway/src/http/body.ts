import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { Refusal } from '../domain/refusal.ts';
import type { HttpContext, HttpMiddleware } from './context.ts';

/** A body that cannot be read. `parseJson` and `parseForm` catch it and refuse the request. */
export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody';
  /** 413 beyond the limit, 415 for an unknown Content-Encoding, 400 for one that is broken. */
  readonly status: 400 | 413 | 415;

  constructor(status: 400 | 413 | 415, cause?: unknown) {
    super(`a body cannot be read (${status})`, { cause });
    this.status = status;
  }
}

/**
 * Reads the whole body of a request, decompressed.
 * @param maxBytes Bytes allowed after decompression.
 * @throws UnreadableBody, after which the connection can still be answered; ClientGone when the client
 * closed it before its body was complete.
 */
export async function readBody(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (req.destroyed) throw new ClientGone();
  const decompressor = decompressorFor(req.headers['content-encoding']);
  try {
    return await collect(req, decompressor ? req.pipe(decompressor) : req, maxBytes);
  } catch (error) {
    req.unpipe();
    decompressor?.destroy();
    // The rest is read and dropped: else the next request on the connection waits for it.
    req.resume();
    throw error;
  }
}

function collect(req: IncomingMessage, body: Readable, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    body.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else reject(new UnreadableBody(413));
    });
    body.once('end', () => resolve(Buffer.concat(chunks)));
    body.once('error', (error) => {
      reject(isClientGone(error) ? error : new UnreadableBody(400, error));
    });
    // A decompressor does not notice that the connection has closed.
    req.once('close', () => {
      if (!req.readableEnded) reject(new ClientGone());
    });
  });
}

/** Names of codings are case-insensitive (RFC 9110 section 8.4.1). @returns null where there is none. */
function decompressorFor(coding = 'identity'): Transform | null {
  switch (coding.toLowerCase()) {
    case 'identity':
      return null;
    case 'gzip':
    case 'deflate':
      return createUnzip();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new UnreadableBody(415);
  }
}

const goneCodes = new Set([
  'ECONNABORTED',
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_WRITE_AFTER_END',
  'ERR_STREAM_DESTROYED',
]);

/**
 * The client closed the connection before it had its answer. `isClientGone` recognises it for the error
 * handlers, which log it at debug level and answer nothing.
 */
export class ClientGone extends Error {}

/** Whether an error only says that the client has gone. */
export function isClientGone(error: unknown): boolean {
  if (error instanceof ClientGone) return true;
  // Not by its class: an error of a stream may come from another realm.
  const isObject = typeof error === 'object' && error !== null;
  return isObject && 'code' in error && goneCodes.has(String(error.code));
}

/** The largest body, in bytes, after decompression. */
const maxBodyBytes = 256 * 1024;

/**
 * Parses the body of a create into `ctx.state.json`. Stands after authentication, so that a body without
 * a valid key is not parsed.
 * @throws Refusal `unsupported_media_type`, `body_too_large`, `invalid_json`.
 */
export function parseJson(): HttpMiddleware {
  return async (ctx, next) => {
    ctx.state.json = await parseJsonBody(ctx, maxBodyBytes);
    await next();
  };
}

/** Reads a JSON body. @throws Refusal as `parseJson` does. */
export async function parseJsonBody({ req }: HttpContext, maxBytes: number): Promise<object> {
  if (!jsonInUtf8.test(req.headers['content-type'] ?? '')) {
    throw new Refusal('unsupported_media_type');
  }
  try {
    return parseJsonObject(await readBody(req, maxBytes));
  } catch (error) {
    throw error instanceof UnreadableBody ? refusalOf(error) : error;
  }
}

/** `application/json`, in UTF-8 where a charset is named. */
const jsonInUtf8 = /^application\/json[ \t]*(;[ \t]*charset=("?)utf-?8\2[ \t]*)?$/i;

/** Everything that goes wrong with a body is the sender's: never a 500. */
function refusalOf({ status }: UnreadableBody): Refusal {
  switch (status) {
    case 413:
      return new Refusal('body_too_large');
    case 415:
      return new Refusal('unsupported_media_type', {
        message: 'Content-Encoding may be gzip, deflate, br or absent.',
      });
    case 400:
      return new Refusal('invalid_json', {
        message: 'The body could not be read whole. Check its Content-Encoding and Content-Length.',
      });
  }
}

/** Maximum nesting of a body; a valid one has three levels. */
const maxDepth = 32;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses the bytes of a body into an object. An array or a scalar is refused like broken JSON: no call
 * of this API takes one. So is a name given twice, of which every reader takes another one.
 * @throws Refusal `invalid_json` for an empty body, invalid UTF-8 or JSON, a value that is no object,
 * a name `__proto__` or given twice, and nesting that would exhaust what walks over the body later.
 */
function parseJsonObject(bytes: Uint8Array): object {
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw new Refusal('invalid_json');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal('invalid_json');
  }
  if (!isPlain(value, 1)) {
    const message = `The body is nested deeper than ${maxDepth} levels, or has the name __proto__.`;
    throw new Refusal('invalid_json', { message });
  }
  if (countWrittenNames(text) !== countNames(value)) {
    throw new Refusal('invalid_json', { message: 'A name is given twice in one JSON object.' });
  }
  return value;
}

/** Strings of a JSON text, each with the colon behind it where it is a name. */
const strings = /"[^"\\]*(?:\\.[^"\\]*)*"[ \t\r\n]*(:?)/gs;

/** Names as they are written; the parsed value has fewer where one is written twice. */
function countWrittenNames(text: string): number {
  let count = 0;
  for (const [, colon] of text.matchAll(strings)) if (colon === ':') count += 1;
  return count;
}

function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : members.length;
  return members.reduce((sum: number, member) => sum + countNames(member), own);
}

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth > maxDepth || Object.hasOwn(value, '__proto__')) return false;
  return Object.values(value).every((member) => isPlain(member, depth + 1));
}
