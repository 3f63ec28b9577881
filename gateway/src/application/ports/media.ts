import type { MakePosters } from '@framegate/media';
import type { Upload } from '../../domain/generations/uploads.ts';

/** Maximum bytes of a provider's file, which is also stored as an output. */
export const maxOutputBytes = { video: 1_000_000_000, image: 200_000_000 } as const;

/**
 * The media store answers that a file kept on arrival is missing. `completeGeneration` catches it and fails the
 * generation: waiting would not restore the file.
 */
export class MissingOutputError extends Error {
  override readonly name = 'MissingOutputError';
}

/** Small pictures of results, for pages. */
export interface Posters {
  /** The types of results with posters. */
  types: readonly ('video' | 'image')[];
  make: MakePosters;
}

/** Uploads of accounts, at most a few dozen each. Times in ms since the epoch, database time. */
export interface UploadStore {
  /** Records an upload before its files are stored, so that a killed process leaves no unrecorded files. */
  insert(upload: Upload): Promise<void>;
  /** Finds an unexpired upload. */
  find(id: string): Promise<Upload | null>;
  /** All uploads of an account, expired or not. */
  listOfAccount(accountId: string): Promise<Upload[]>;
  /** Keeps an account's uploads at least until a given time, for a generation. */
  keepUntil(
    generation: { accountId: string; generationId: string },
    ids: readonly string[],
    untilMs: number,
  ): Promise<void>;
  /** Releases uploads that a generation has read or no longer needs. */
  release(generationId: string, ids: readonly string[]): Promise<void>;
  /** Ids of expired uploads, in pages. */
  listExpired(nowMs: number): AsyncIterable<string[]>;
  /** Makes an upload expire now. @returns The upload, or null if unknown. */
  expire(id: string): Promise<Upload | null>;
  /** Makes all uploads of an account expire now; upkeep removes them. @returns How many. */
  expireAll(accountId: string): Promise<number>;
  /** Removes the record of an upload whose files are gone. */
  remove(id: string): Promise<void>;
}
