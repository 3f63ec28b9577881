import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';

/** A body that cannot be read. `readJsonBody` and `parseForm` catch it and refuse the request. */
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
