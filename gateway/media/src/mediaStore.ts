import type { Readable } from 'node:stream';

/** A file in the media store. `etag` is opaque and differs whenever the bytes may differ. */
export interface StoredFile {
  bytes: number;
  contentType: string;
  etag: string;
  /** Path below the root folder of a disk store; absent for a bucket. */
  path?: string;
}

/** An open file on this machine, read into the caller's memory, which is cheaper than a stream. */
export interface LocalFile {
  /**
   * Reads bytes from `offset` into `into`, not necessarily all of it in one call.
   * @returns The number of bytes read.
   */
  read(into: Uint8Array, offset: number): Promise<number>;
  close(): void;
}

/** Bytes for a store, or the path of a finished file on this machine. */
export type StoreData = AsyncIterable<Uint8Array> | Uint8Array | { finished: string };

/**
 * Files by keys like `outputs/gen_…/0.mp4`; any other form is a bug and throws. A file exists completely or not
 * at all, and survives a crash once `put` has resolved.
 */
export interface MediaStore {
  /**
   * Writes a file, replacing one with the same key.
   * @param data A finished file may become a second name of the stored one: nothing may write to it any more.
   * @throws TransferError `too_large` beyond `maxBytes`; the errors of `data` or `signal`. Then nothing is left
   * behind, and an earlier file stays.
   */
  put(
    key: string,
    data: StoreData,
    options: { contentType: string; maxBytes: number; signal?: AbortSignal },
  ): Promise<{ bytes: number; sha256: string }>;
  /**
   * Opens a file, or its bytes from `start` to `end` inclusive; `bytes` is the size of the whole. The caller reads the
   * stream to its end or destroys it. Null if the file does not exist.
   * @param stored A response of `stat`, which saves a lookup. Also null if it is outdated.
   */
  open(
    key: string,
    range?: { start: number; end: number },
    stored?: StoredFile,
  ): Promise<(StoredFile & { stream: Readable }) | null>;
  /** Opens a file found by `stat` if this store has it on this machine. Null if it was replaced or deleted. */
  openLocal?(stored: StoredFile): Promise<LocalFile | null>;
  stat(key: string): Promise<StoredFile | null>;
  /** Deletes a file, if it exists. */
  delete(key: string): Promise<void>;
}

const keyPattern = /^(?:[a-z0-9_]{1,40}\/){1,4}[a-z0-9_]{1,40}\.[a-z0-9]{2,4}$/;

/** Returns the key if it is well-formed. @throws Error otherwise: a bug. */
export function requireMediaKey(key: string): string {
  if (!keyPattern.test(key)) throw new Error(`not a key of the media store: ${key}`);
  return key;
}
