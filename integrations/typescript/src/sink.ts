/** Destination of a download's bytes, in order. */
export interface Sink {
  /** Bytes of this very file left by an earlier download. */
  readonly size: number;
  write(chunk: Uint8Array, position: number): Promise<void>;
  /** All bytes have been written. */
  finish(size: number): Promise<void>;
  /** The download has failed. The bytes stay for a continuation, unless `discard` is true. */
  abandon(error: unknown, discard: boolean): Promise<void>;
}

/**
 * Opens a sink for a file.
 * @param version The same for the same bytes; undefined if unknown.
 */
export type OpenFile = (path: string, version: string | undefined) => Promise<Sink>;

/** The part of a Node writable stream that a download uses. */
export interface NodeWritable {
  write(chunk: Uint8Array, done: (error?: Error | null) => void): unknown;
  end(done: () => void): unknown;
  destroy(error?: Error): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** A stream as download target; closed at the end and destroyed if the download fails. */
export type StreamTarget = WritableStream<Uint8Array> | NodeWritable;

/** The sink of a stream. */
export function openStream(target: StreamTarget): Sink {
  return 'getWriter' in target ? webSink(target.getWriter()) : nodeSink(target);
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
  const failed = new Promise<never>((_, reject) => stream.on('error', reject));
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
    finish: () => Promise.race([failed, new Promise<void>((resolve) => stream.end(resolve))]),
    abandon: async (error) => void stream.destroy(error as Error),
  };
}
