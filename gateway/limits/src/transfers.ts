import { type Readable, Transform } from 'node:stream';

/**
 * A transfer failed: the host was unreachable, answered something else or stopped half-way (`unreachable`), or sent
 * more than allowed (`too_large`). The message is for logs only. Callers catch it to distinguish failed transfers from
 * their own failures.
 */
export class TransferFailure extends Error {
  readonly kind: 'unreachable' | 'too_large';
  constructor(kind: 'unreachable' | 'too_large', message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Limits the bytes of a stream. */
export class ByteLimit {
  /** Counted so far. */
  bytes = 0;
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** @throws TransferFailure `too_large` beyond the limit. */
  count(chunk: Uint8Array): void {
    this.bytes += chunk.byteLength;
    if (this.bytes > this.maxBytes) throw this.tooLarge();
  }

  tooLarge(): TransferFailure {
    return new TransferFailure('too_large', `more than ${this.maxBytes} bytes`);
  }
}

/** Headers of an answer, by lower-case name. */
type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The body of an answer with status 200, up to `maxBytes`. The body of any other answer is not read, and its
 * connection is closed.
 * @param options.signal The caller's; time limits of the request end in a TransferFailure.
 * @param options.problemOf Returns another reason why an answer is unusable, by its headers, or null.
 * @throws TransferFailure, also from the stream; the signal's reason if aborted.
 */
export function receiveBody(
  { statusCode, headers, body }: { statusCode: number; headers: Headers; body: Readable },
  options: {
    maxBytes: number;
    signal: AbortSignal;
    problemOf: (headers: Headers) => string | null;
  },
): Readable {
  const { maxBytes, signal, problemOf } = options;
  const limit = new ByteLimit(maxBytes);
  const problem = statusCode === 200 ? problemOf(headers) : `status ${statusCode}`;
  const isTooLarge = Number(headers['content-length'] ?? 0) > maxBytes;
  if (problem !== null || isTooLarge) {
    body.on('error', () => undefined).destroy();
    throw problem === null ? limit.tooLarge() : new TransferFailure('unreachable', problem);
  }
  const received = new Transform({
    transform(chunk: Uint8Array, _, done) {
      try {
        limit.count(chunk);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
  body.on('error', (error) => received.destroy(transferFailure(error, signal)));
  received.on('close', () => body.destroy());
  // The reader receives the error; a reader not listening yet must not end the process.
  received.on('error', () => undefined);
  return body.pipe(received);
}

/**
 * The error of a failed transfer: the reason of the caller's signal, or a TransferFailure. Messages of undici
 * and Node name hosts, never whole URLs.
 */
export function transferFailure(error: unknown, signal: AbortSignal): Error {
  if (signal.aborted) return signal.reason as Error;
  if (error instanceof TransferFailure) return error;
  const { code, message } = error as { code?: unknown; message?: unknown };
  const parts = [code, message].filter((each) => typeof each === 'string');
  return new TransferFailure('unreachable', parts.join(' '));
}

/** An error and its causes, innermost last; at most ten. */
export function causesOf(error: unknown): object[] {
  const found: object[] = [];
  for (let at = error; typeof at === 'object' && at !== null && found.length < 10;) {
    found.push(at);
    at = 'cause' in at ? at.cause : undefined;
  }
  return found;
}
