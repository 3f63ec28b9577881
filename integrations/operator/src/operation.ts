/** Options of a read. */
export interface ReadOptions {
  /** Ends the call. */
  signal?: AbortSignal | undefined;
}

/** Options of a write. */
export interface WriteOptions extends ReadOptions {
  /**
   * One value for each write that is wanted, such as the id of your order: the same call with the same key is done
   * once, for 30 days, also after a restart. Without it, a new key is made for the call and kept over its retries.
   */
  idempotencyKey?: string | undefined;
}

/** How a feed is followed. */
export interface FollowOptions extends ReadOptions {
  /** Whether to end when there is nothing more for now, rather than wait for more. */
  stopAtEnd?: boolean | undefined;
}

/** One call of an operation. */
export interface Operation {
  method: string;
  /** Texts, and values that go between them. */
  path: readonly (string | { value: string })[];
  /** The value of `object` in the answer; null for text. */
  object: string | null;
  query?: object;
  body?: object;
  /** Whether it needs an idempotency key. */
  isWrite?: true;
  options: ReadOptions | WriteOptions;
}

/** Sends the calls of a client. */
export interface Sender {
  send<T>(operation: Operation): Promise<T>;
  /** Ends after so many milliseconds, or at once when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
