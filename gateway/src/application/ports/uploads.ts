import type { Upload } from '../../domain/upload.ts';

/** Uploads of accounts, at most some tens of each. Times in ms since the epoch, database time. */
export interface UploadStore {
  /** Notes an upload before its files are stored, so that a killed process leaves none behind unknown. */
  insert(upload: Upload): Promise<void>;
  /** One that has not expired. */
  find(id: string): Promise<Upload | null>;
  /** All of an account, expired or not. */
  ofAccount(accountId: string): Promise<Upload[]>;
  /** Keeps an account's uploads at least until then: a generation needs them. */
  keepUntil(accountId: string, ids: readonly string[], untilMs: number): Promise<void>;
  /** Uploads that have expired, in pages. */
  expired(nowMs: number): AsyncIterable<string[]>;
  /** An upload, expired or not. */
  findAny(id: string): Promise<Upload | null>;
  /** All of an account expire now; upkeep removes them. */
  expireAll(accountId: string): Promise<void>;
  /** Forgets one whose files are gone. */
  remove(id: string): Promise<void>;
}
