import type { ReceivedFile } from './tempFiles.ts';

/** A provider's file is damaged or not of the requested kind. The message is for staff. */
export class InvalidOutputError extends Error {
  override readonly name = 'InvalidOutputError';
  /** The received file; null for nothing, or for a string such as "not ready", which says nothing about a file. */
  readonly file: ReceivedFile | null;
  /** The file's media type, if known and not the requested one. */
  readonly otherType: string | null;
  constructor(message: string, file: ReceivedFile | null = null, otherType: string | null = null) {
    super(message);
    this.file = file;
    this.otherType = otherType;
  }
}

/**
 * A child ended without a verdict on a provider's file: killed, starved, or too slow. The fault may be ours, and the
 * file is paid for, so it is read again later.
 */
export class ReaderError extends Error {
  override readonly name = 'ReaderError';
}

/** The store failed; the inputs are not at fault. */
export class InputStoreError extends Error {
  override readonly name = 'InputStoreError';
}
