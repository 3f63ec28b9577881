import { membersOf } from './core/json.ts';
import { type ErrorContext, UsageError } from './errors.ts';

/** Destination of a download's bytes, in order. */
export interface Sink {
  /** Bytes of this very file left by an earlier download. */
  readonly size: number;
  write(chunk: Uint8Array, position: number): Promise<void>;
  /** All bytes have been written. */
  finish(size: number): Promise<void>;
  /** The download has failed. The bytes stay for a continuation, unless `discard` is true. */
  abandon(error: unknown, shouldDiscard: boolean): Promise<void>;
}

/**
 * Finds the place for a file, without changing anything.
 * @param about Names the download in errors.
 * @returns Opens the sink, for a version that is the same for the same bytes; undefined if unknown.
 * @throws UsageError if it is not a file path.
 */
export type OpenFile = (
  path: string,
  about?: ErrorContext,
) => Promise<(version: string | undefined) => Promise<Sink>>;

/** The part of a Node writable stream that a download uses. */
export interface NodeWritable {
  write(chunk: Uint8Array, done: (error?: Error | null) => void): unknown;
  end(done: (error?: Error | null) => void): unknown;
  destroy(error?: Error): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
}

/** A stream as download target; closed at the end and destroyed if the download fails. */
export type StreamTarget = WritableStream<Uint8Array> | NodeWritable;

/**
 * The sink of a stream.
 * @throws UsageError unless it is a stream that takes bytes.
 */
export function openStream(target: StreamTarget, about: ErrorContext): Sink {
  const targetError = (why: string) => new UsageError('unusable_target', why, about);
  const methods = membersOf(target);
  if (typeof methods['getWriter'] === 'function') {
    if (methods['locked'] === true) {
      throw targetError('The WritableStream is locked by another writer.');
    }
    return webSink((target as WritableStream<Uint8Array>).getWriter());
  }
  if (['write', 'end', 'on'].some((name) => typeof methods[name] !== 'function')) {
    throw targetError('Pass a path, a writable Node stream, or a WritableStream.');
  }
  if (methods['writable'] === false) throw targetError('The stream is closed or not writable.');
  return nodeSink(target as NodeWritable);
}

function webSink(writer: WritableStreamDefaultWriter<Uint8Array>): Sink {
  // The calls below report failures.
  writer.closed.catch(() => undefined);
  return {
    size: 0,
    write: (chunk) => writer.write(chunk),
    finish: () => writer.close(),
    abandon: (error) => writer.abort(error).catch(() => undefined),
  };
}

function nodeSink(stream: NodeWritable): Sink {
  const failed = new Promise<never>((_, reject) => {
    stream.on('error', reject);
    // A stream that its owner destroys may never answer a write.
    stream.on('close', () => reject(new Error('the stream was closed')));
  });
  failed.catch(() => undefined);
  return {
    size: 0,
    write: (chunk) =>
      Promise.race([
        failed,
        new Promise<void>((resolve, reject) => {
          stream.write(chunk, (error) => (error ? reject(error) : resolve()));
        }),
      ]),
    finish: () =>
      Promise.race([
        failed,
        new Promise<void>((resolve, reject) => {
          stream.end((error) => (error ? reject(error) : resolve()));
        }),
      ]),
    abandon: async (error) => void stream.destroy(error as Error),
  };
}
