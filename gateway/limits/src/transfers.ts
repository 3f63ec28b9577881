import { Readable } from 'node:stream';
import { decodeBody } from './decodeBody.ts';

/**
 * A transfer failed: the host was unreachable, answered something else or stopped half-way (`unreachable`), or sent
 * more than allowed (`too_large`). The message is for logs only. Callers catch it to distinguish failed transfers from
 * their own failures.
 */
export class TransferError extends Error {
  override readonly name = 'TransferError';
  readonly kind: 'unreachable' | 'too_large';
  constructor(kind: 'unreachable' | 'too_large', message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Limits the bytes of a stream. */
export class ByteLimit {
  /** Number of bytes counted so far. */
  bytes = 0;
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** @throws TransferError `too_large` beyond the limit. */
  count(chunk: Uint8Array): void {
    this.bytes += chunk.byteLength;
    if (this.bytes > this.maxBytes) throw this.tooLarge();
  }

  tooLarge(): TransferError {
    return new TransferError('too_large', `more than ${this.maxBytes} bytes`);
  }
}

/** Reads a whole body into memory. @throws TransferError `too_large` beyond the limit. */
export async function readWhole(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer>> {
  const limit = new ByteLimit(maxBytes);
  const chunks: Uint8Array[] = [];
  // Leaving the loop cancels the rest.
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    limit.count(chunk);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Headers of a response, by lower-case name. */
type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Headers of every request for a file. Some hosts refuse clients that do not name themselves.
 */
export const fileRequestHeaders = {
  'user-agent': 'Mozilla/5.0 (compatible; Framegate/1.0)',
  accept: '*/*',
  'accept-encoding': 'identity',
} as const;

/** A response as undici's `request` returns it. */
interface TransferResponse {
  statusCode: number;
  headers: ResponseHeaders;
  body: Readable;
}

/**
 * The file in a response with any success status, up to `maxBytes`, without content codings. Ignores Content-Type; only
 * the bytes matter. The body of any other response is not read, and its connection is closed.
 * @param options.signal The caller's; time limits of the request end in a TransferError.
 * @throws TransferError, also from the stream; the signal's reason if aborted.
 */
export function receiveBody(
  response: TransferResponse,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Readable {
  const { statusCode, headers, body } = response;
  const isOk = statusCode >= 200 && statusCode < 300 && statusCode !== 204 && statusCode !== 205;
  if (!isOk || Number(headers['content-length'] ?? 0) > maxBytes) {
    body.on('error', () => undefined).destroy();
    if (isOk) throw new ByteLimit(maxBytes).tooLarge();
    throw new TransferError('unreachable', `status ${statusCode}`);
  }
  const received = Readable.from(readFile(response, maxBytes, signal), { objectMode: false });
  received.on('close', () => body.on('error', () => undefined).destroy());
  // The reader receives the error; a reader not listening yet must not end the process.
  received.on('error', () => undefined);
  return received;
}

async function* readFile(
  { headers, body }: TransferResponse,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const [sent, unpacked] = [new ByteLimit(maxBytes), new ByteLimit(maxBytes)];
  async function* countBytes() {
    for await (const chunk of body) {
      sent.count(chunk as Uint8Array);
      yield chunk as Uint8Array;
    }
  }
  try {
    for await (const chunk of decodeBody(countBytes(), headers['content-encoding'])) {
      unpacked.count(chunk);
      yield chunk;
    }
  } catch (error) {
    throw transferError(error, signal);
  }
  // No one asked for a part, but a cache may answer with one (RFC 9110, 14.4).
  const wholeBytes = Number(/\/(\d+)$/.exec(String(headers['content-range'] ?? ''))?.[1] ?? 0);
  if (sent.bytes < wholeBytes) {
    throw new TransferError('unreachable', `${sent.bytes} of ${wholeBytes} bytes`);
  }
}

/**
 * The error of a failed transfer: the reason of the caller's signal, or a TransferError. Messages of undici
 * and Node name hosts, never whole URLs.
 */
export function transferError(error: unknown, signal: AbortSignal): Error {
  if (signal.aborted) return signal.reason as Error;
  if (error instanceof TransferError) return error;
  const { code, message } = error as { code?: unknown; message?: unknown };
  const parts = [code, message].filter((each) => typeof each === 'string');
  return new TransferError('unreachable', parts.join(' '));
}

/** An error and its causes, innermost last; at most ten. */
export function causesOf(error: unknown): object[] {
  const causes: object[] = [];
  for (let at = error; typeof at === 'object' && at !== null && causes.length < 10;) {
    causes.push(at);
    at = 'cause' in at ? at.cause : undefined;
  }
  return causes;
}
