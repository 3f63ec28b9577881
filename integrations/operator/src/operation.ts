import type { FeedRestored } from './generated/api.ts';

/** Options of a read. */
export interface ReadOptions {
  /** Ends the call. */
  signal?: AbortSignal | undefined;
}

/** Options of a write. */
export interface WriteOptions extends ReadOptions {
  /**
   * A distinct value for each intended write, such as your order id: repeating the call with the same key takes effect
   * once, for 30 days, even after a restart. Without it, a new key is generated for the call and kept for its retries.
   */
  idempotencyKey?: string | undefined;
}

/** Options for following a feed. */
export interface FollowOptions extends ReadOptions {
  /** Whether to end when there is currently nothing more, instead of waiting. */
  stopAtEnd?: boolean | undefined;
  /**
   * The gateway's database was restored from a backup: forget what you hold beyond `position`, and store `after` as
   * your cursor. The follower then continues there. Without this function it throws a `FeedRestoredError`.
   */
  onRestored?: ((restored: FeedRestored) => void | Promise<void>) | undefined;
}

/** One call of an operation. */
export interface Operation {
  method: string;
  /** Fixed texts, and values inserted between them. */
  path: readonly (string | { value: string })[];
  /** Expected value of `object` in the response; null for text. */
  object: string | null;
  query?: object;
  body?: object;
  /** Whether it needs an idempotency key. */
  isWrite?: boolean;
  options: ReadOptions | WriteOptions;
}

/** Sends the calls of a client. */
export interface Sender {
  send<T>(operation: Operation): Promise<T>;
  /** Ends after this many milliseconds, or immediately when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
