import type { Readable } from 'node:stream';
import type { FileKind, WrongFile } from '@framegate/contract/fileKinds';
import type { Generation, GenerationInput, StoredInput } from '../../domain/generation.ts';
import type { Measured } from '../../domain/delivery.ts';
import type { Upload } from '../../domain/mediaFiles.ts';

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
   * Reads bytes from `position` into `into`, not necessarily all of it in one call. @returns The number of bytes read.
   */
  read(into: Uint8Array, position: number): Promise<number>;
  close(): void;
}

/**
 * Files of inputs and outputs. Keys look like `outputs/gen_…/0.mp4`; any other form is a bug and throws. A file
 * exists completely or not at all, and survives a crash once `put` has resolved.
 */
export interface MediaStore {
  /**
   * Writes a file, replacing one with the same key.
   * @throws TransferFailure `too_large` beyond `maxBytes`; the errors of `data` or `signal`. Then nothing is left
   * behind, and an earlier file stays.
   */
  put(
    key: string,
    data: AsyncIterable<Uint8Array> | Uint8Array,
    options: { contentType: string; maxBytes: number; signal?: AbortSignal },
  ): Promise<{ bytes: number; sha256: string }>;
  /**
   * Opens a file, or its bytes from `start` to `end` inclusive; `bytes` is the size of the whole. The caller reads the
   * stream to its end or destroys it. Null if the file does not exist.
   * @param known An answer of `stat`, which saves a lookup. Also null if it is outdated.
   */
  open(
    key: string,
    range?: { start: number; end: number },
    known?: StoredFile,
  ): Promise<(StoredFile & { stream: Readable }) | null>;
  /** Opens a file found by `stat` if this store has it on this machine. Null if it was replaced or deleted. */
  openLocal?(known: StoredFile): Promise<LocalFile | null>;
  stat(key: string): Promise<StoredFile | null>;
  /** Deletes a file, if it exists. */
  delete(key: string): Promise<void>;
}

/** Maximum bytes of a provider's file, which is also stored as an output. */
export const maxOutputBytes = { video: 1_000_000_000, image: 200_000_000 } as const;

/** A file from a provider. */
export interface ProviderOutput {
  /** The host to fetch it from; absent if the file is already here. */
  host?: string;
  /** Set if there is no other copy: each reading, now and after another look, gives the same bytes. */
  isOnlyCopy?: true;
  /** Forgets bytes at hand, so that the next reading fetches the file again. */
  forget?(): void;
  /** Opens it; may be called again after a failure. */
  read(signal: AbortSignal): Promise<Uint8Array | AsyncIterable<Uint8Array>>;
}

/**
 * A provider's file is damaged or not of the requested kind. The message is for staff. `completeGeneration` catches it:
 * the same file again and again ends the generation.
 */
export class InvalidOutput extends Error {
  /** What arrived; null for nothing, or a text such as "not ready", which is no verdict on any file. */
  readonly file: { bytes: number; sha256: string } | null;
  /** Its media type, if known and not the requested one. */
  readonly otherType: string | null;
  constructor(
    message: string,
    file: { bytes: number; sha256: string } | null = null,
    otherType: string | null = null,
  ) {
    super(message);
    this.file = file;
    this.otherType = otherType;
  }
}

/** The reader of a provider's file failed, perhaps by our own fault. `keepTrying` catches it and waits longer. */
export class ReaderFailed extends Error {}

/**
 * The media store answers that a file kept on arrival is missing. `completeGeneration` catches it and fails the
 * generation: waiting would not restore the file.
 */
export class MissingOutput extends Error {}

/** A stored output file; unmeasured figures are absent. */
export interface StoredOutput {
  mediaType: string;
  bytes: number;
  sha256: string;
  poster?: true;
  measured?: Measured;
}

/**
 * Checks, cleans, marks, measures and stores one output file, and its posters if they can be made quickly. Accounts
 * take turns.
 * @throws InvalidOutput if it is not of the requested kind; TransferFailure if it is too large; ReaderFailed; read errors.
 */
export type StoreOutput = (
  key: string,
  output: ProviderOutput,
  wanted: { accountId: string; type: 'video' | 'image'; format: string },
  signal: AbortSignal,
) => Promise<StoredOutput>;

/** Small pictures of results, for pages. */
export interface Posters {
  /** The types of results with posters. */
  types: readonly ('video' | 'image')[];
  /** Makes the posters of an output stored without them; `impossible` means that a retry cannot help. Never throws. */
  make(
    outputKey: string,
    type: 'video' | 'image',
    signal: AbortSignal,
  ): Promise<'made' | 'missed' | 'impossible'>;
}

/**
 * The result of copying the inputs. `reason` is for staff; `wrongFile` is set if the file is of another kind than wanted;
 * `slow` means that reading it cost more than a valid file would.
 */
export type InputsTaken =
  | { ok: true; stored: StoredInput[] }
  | {
      ok: false;
      code: 'input_unreachable' | 'input_invalid';
      param: string;
      reason: string;
      wrongFile?: WrongFile;
      slow?: boolean;
    };

/** Our own store failed, whatever the inputs. `takeOverInputs` catches it and tries again. */
export class InputsNotStored extends Error {}

/**
 * Copies a generation's inputs into the store, fetching customers' URLs through the guarded client.
 * @throws InputsNotStored if the store failed; the signal's reason if aborted.
 */
export type TakeInputs = (
  of: Pick<Generation, 'id' | 'accountId'>,
  inputs: readonly (GenerationInput & { storeKey: string | null })[],
  signal: AbortSignal,
) => Promise<InputsTaken>;

/** The part to keep of a file: the file, only a preview, or a full-size frame of the account's own video. */
export type KeptOfFile = 'file' | 'preview' | 'first frame' | 'last frame';

/** The result of storing a file; `reason` is for logs; `is` tells what a file of the wrong kind is. */
export type UploadTaken =
  | { ok: true }
  | { ok: false; problem: 'too_large'; maxBytes: number }
  /** For a picture; `maxBehindUrl` is the limit for pictures given by URL. */
  | {
      ok: false;
      problem: 'too_many_pixels';
      pixels: number;
      most: number;
      isTransparentWebp: boolean;
      maxBehindUrl: number;
    }
  /** The upload was too slow. */
  | { ok: false; problem: 'too_slow'; bytesPerSecond: number }
  /** Too many files of other accounts are being processed; retry after this many seconds. */
  | { ok: false; problem: 'busy'; retryAfterSeconds: number }
  | { ok: false; problem: 'invalid'; reason: string; is?: FileKind };

/**
 * Stores a customer's file within the limits for inputs.
 * @param data Read once the account's earlier files leave room for it.
 * @param note Called once the file is known to be valid; returns the keys to store it under.
 * @throws Errors of `data`, `note` and the store; the signal's reason if aborted.
 */
export type TakeUpload = (
  of: Pick<Upload, 'accountId' | 'type'> & { keep: KeptOfFile },
  data: AsyncIterable<Uint8Array>,
  note: (
    file: Pick<Upload, 'bytes' | 'size' | 'seconds'> & {
      /** Null if the file itself is not kept. */
      extension: string | null;
      hasPreview: boolean;
    },
  ) => Promise<Pick<Upload, 'key' | 'previewKey'>>,
  signal: AbortSignal,
) => Promise<UploadTaken>;

/**
 * Fetches a customer's URL through the guarded client: public addresses only, no redirects, status 200 only, within its
 * time limit. The stream can also fail with TransferFailure.
 * @throws TransferFailure; the signal's reason if aborted.
 */
export type FetchUrl = (
  url: string,
  options: { maxBytes: number; signal: AbortSignal },
) => Promise<Readable>;

/** Uploads of accounts, at most a few dozen each. Times in ms since the epoch, database time. */
export interface UploadStore {
  /** Records an upload before its files are stored, so that a killed process leaves no unrecorded files. */
  insert(upload: Upload): Promise<void>;
  /** Finds an unexpired upload. */
  find(id: string): Promise<Upload | null>;
  /** All uploads of an account, expired or not. */
  ofAccount(accountId: string): Promise<Upload[]>;
  /** Keeps an account's uploads at least until a given time, for a generation. */
  keepUntil(
    of: { accountId: string; generationId: string },
    ids: readonly string[],
    untilMs: number,
  ): Promise<void>;
  /** Releases uploads that a generation has read or no longer needs. */
  release(generationId: string, ids: readonly string[]): Promise<void>;
  /** Ids of expired uploads, in pages. */
  expired(nowMs: number): AsyncIterable<string[]>;
  /** Makes an upload expire now. @returns The upload, or null if unknown. */
  expire(id: string): Promise<Upload | null>;
  /** Makes all uploads of an account expire now; upkeep removes them. @returns How many. */
  expireAll(accountId: string): Promise<number>;
  /** Removes the record of an upload whose files are gone. */
  remove(id: string): Promise<void>;
}
