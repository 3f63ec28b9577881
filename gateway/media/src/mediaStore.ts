import type { Readable } from 'node:stream';

/** A file in the media store. `etag` is opaque and differs whenever the bytes may differ. */
export interface StoredFile {
  bytes: number;
  contentType: string;
  etag: string;
  /** Where its bytes lie below the folder of a disk store; absent in a bucket. */
  path?: string;
}

/** An open file on this machine, read into memory of the caller's: that is cheaper than a stream. */
export interface LocalFile {
  /** Reads bytes from `position` on into all of `into`, of which one call may fill only a part. @returns Their number. */
  read(into: Uint8Array, position: number): Promise<number>;
  close(): void;
}

/** Bytes for a store, or the path of a file on this machine that is finished. */
export type StoreData = AsyncIterable<Uint8Array> | Uint8Array | { finished: string };

/**
 * Files by keys like `outputs/gen_…/0.mp4`; any other form is a bug and throws. A file exists completely or not
 * at all, and survives a crash once `put` has resolved.
 */
export interface MediaStore {
  /**
   * Writes a file, replacing one with the same key.
   * @param data A finished file may become a second name of the stored one: nothing may write to it any more.
   * @throws TransferFailure `too_large` beyond `maxBytes`; the errors of `data` or `signal`. Nothing is left
   * behind then, and an earlier file stays.
   */
  put(
    key: string,
    data: StoreData,
    options: { contentType: string; maxBytes: number; signal?: AbortSignal },
  ): Promise<{ bytes: number; sha256: string }>;
  /**
   * Opens a file, or its bytes from `start` to `end` inclusive; `bytes` is the size of the whole. The caller
   * reads the stream to its end or destroys it. Null if the file does not exist.
   * @param known An answer of `stat`, which need not be found out again. Null as well if it no longer holds.
   */
  open(
    key: string,
    range?: { start: number; end: number },
    known?: StoredFile,
  ): Promise<(StoredFile & { stream: Readable }) | null>;
  /** Opens a file that `stat` found, if this store has it on this machine. Null if it was replaced or deleted. */
  openLocal?(known: StoredFile): Promise<LocalFile | null>;
  stat(key: string): Promise<StoredFile | null>;
  /** Deletes a file, if it exists. */
  delete(key: string): Promise<void>;
}

const keyPattern = /^(?:[a-z0-9_]{1,40}\/){1,4}[a-z0-9_]{1,40}\.[a-z0-9]{2,4}$/;

/** Returns the key if it has the form of a media store's. @throws Error otherwise: a bug. */
export function requireMediaKey(key: string): string {
  if (!keyPattern.test(key)) throw new Error(`not a key of the media store: ${key}`);
  return key;
}
