/** Where the bytes of a download go, in their order. */
export interface Sink {
  /** Bytes of this very file that an earlier download left there. */
  readonly size: number;
  write(chunk: Uint8Array, position: number): Promise<void>;
  /** All bytes are there. */
  finish(size: number): Promise<void>;
  /** The download has failed. The bytes stay where they can be continued, unless `discard` is true. */
  abandon(error: unknown, discard: boolean): Promise<void>;
}

/**
 * Opens a sink for a file.
 * @param version The same for the same bytes; undefined when that is not known.
 */
export type OpenFile = (path: string, version: string | undefined) => Promise<Sink>;

/** A writable stream of Node, as far as a download uses it. */
export interface NodeWritable {
  write(chunk: Uint8Array, done: (error?: Error | null) => void): unknown;
  end(done: () => void): unknown;
  destroy(error?: Error): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** A stream that takes a download; it is closed at the end and destroyed when the download fails. */
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
