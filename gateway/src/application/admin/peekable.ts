/** A stream whose next item can be looked at before it is taken. */
export interface Peekable<T> {
  /** The next item; undefined at the end. */
  peek(): Promise<T | undefined>;
  /** Goes on behind the next item. */
  skip(): void;
}

/** Reads a stream one item ahead, so that two sorted streams can be merged. */
export function peekable<T>(stream: AsyncIterable<T>): Peekable<T> {
  const iterator = stream[Symbol.asyncIterator]();
  let ahead: Promise<IteratorResult<T, unknown>> | null = null;
  return {
    async peek() {
      ahead ??= iterator.next();
      const result = await ahead;
      return result.done === true ? undefined : result.value;
    },
    skip() {
      ahead = null;
    },
  };
}
