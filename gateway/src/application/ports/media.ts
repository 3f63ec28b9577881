import type { Readable } from 'node:stream';
import type { Generation, GenerationInput, StoredInput } from '../../domain/generation.ts';
import type { Upload } from '../../domain/mediaFiles.ts';

/** A file in the media store. `etag` is opaque and differs whenever the bytes may differ. */
export interface StoredFile {
  bytes: number;
  contentType: string;
  etag: string;
}

/**
 * Files of inputs and outputs. Keys look like `outputs/gen_…/0.mp4`; another form is a bug and throws.
 * A file is there as a whole or not at all, and once `put` has resolved it survives a crash.
 */
export interface MediaStore {
  /**
   * Writes a file, in place of one under the same key.
   * @throws TransferFailure `too_large` beyond `maxBytes`; the errors of `data` or `signal`. Nothing is
   * left behind then, and an earlier file stays.
   */
  put(
    key: string,
    data: AsyncIterable<Uint8Array> | Uint8Array,
    options: { contentType: string; maxBytes: number; signal?: AbortSignal },
  ): Promise<{ bytes: number; sha256: string }>;
  /**
   * Opens a file, or its bytes from `start` to `end`, both included; `bytes` is the size of the whole.
   * The caller reads the stream to its end or destroys it. Null when there is none.
   */
  open(
    key: string,
    range?: { start: number; end: number },
  ): Promise<(StoredFile & { stream: Readable }) | null>;
  stat(key: string): Promise<StoredFile | null>;
  /** Deletes a file; it is no error when there is none. */
  delete(key: string): Promise<void>;
}

const keyPattern = /^(?:[a-z0-9_]{1,40}\/){1,4}[a-z0-9_]{1,40}\.[a-z0-9]{2,4}$/;

/** The key, if it has the form of a media store's. @throws Error otherwise: a bug. */
export function requireMediaKey(key: string): string {
  if (!keyPattern.test(key)) throw new Error(`not a key of the media store: ${key}`);
  return key;
}

/** The most bytes that a provider may hand over, and that we store, per file. */
export const maxOutputBytes = { video: 1_000_000_000, image: 200_000_000 } as const;

/** A file as a provider hands it over. */
export interface ProviderOutput {
  /** Opens it; may be called again after a failure. */
  read(signal: AbortSignal): Promise<Uint8Array | AsyncIterable<Uint8Array>>;
}

/**
 * A provider's file is not what was asked for, or damaged. The message is for staff. `completeGeneration`
 * catches it and fails the generation: another try would bring the same file.
 */
export class InvalidOutput extends Error {}

/**
 * A file that was kept on arrival is gone from the media store, which answered. `completeGeneration` catches
 * it and fails the generation: waiting would not bring it back.
 */
export class MissingOutput extends Error {}

/**
 * Checks, cleans, marks and stores one output file, and its posters where they can be made in a moment.
 * Accounts take turns.
 * @throws InvalidOutput when it is not what was asked for; TransferFailure when it is too large; the
 * errors of reading it.
 */
export type StoreOutput = (
  key: string,
  output: ProviderOutput,
  wanted: { accountId: string; type: 'video' | 'image'; format: string },
  signal: AbortSignal,
) => Promise<{ mediaType: string; bytes: number; sha256: string; poster?: true }>;

/**
 * The result of taking the inputs over; `reason` is for staff, and `slow` says that reading the input cost
 * more than a valid file does.
 */
export type InputsTaken =
  | { ok: true; stored: StoredInput[] }
  | {
      ok: false;
      code: 'input_unreachable' | 'input_invalid';
      param: string;
      reason: string;
      slow?: boolean;
    };

/** Our own store failed, which says nothing about the inputs. `takeOverInputs` catches it and tries again. */
export class InputsNotStored extends Error {}

/**
 * Takes a generation's inputs into the store: customers' URLs through the guarded client.
 * @throws InputsNotStored when the store failed; the signal's reason when it is aborted.
 */
export type TakeInputs = (
  of: Pick<Generation, 'id' | 'accountId'>,
  inputs: readonly (GenerationInput & { storeKey: string | null })[],
  signal: AbortSignal,
) => Promise<InputsTaken>;

/**
 * What is kept of a file: all of it, a small picture of it alone, or a picture of a video of the account's own,
 * in full size.
 */
export type KeptOfFile = 'file' | 'preview' | 'first frame' | 'last frame';

/** A file that was stored, or why it was not; `reason` is for logs. */
export type UploadTaken =
  | { ok: true }
  | { ok: false; problem: 'too_large'; maxBytes: number }
  /** A picture; `maxBehindUrl` is how many one may have that is given by its address. */
  | {
      ok: false;
      problem: 'too_many_pixels';
      pixels: number;
      most: number;
      isTransparentWebp: boolean;
      maxBehindUrl: number;
    }
  /** It came more slowly than a file may. */
  | { ok: false; problem: 'too_slow'; bytesPerSecond: number }
  /** Too many files of other accounts are being taken: in so many seconds there may be a place. */
  | { ok: false; problem: 'busy'; retryAfterSeconds: number }
  | { ok: false; problem: 'invalid'; reason: string };

/**
 * Takes a file of a customer's into the store, under the limits of inputs.
 * @param data Read as soon as earlier files of the account leave room for it.
 * @param note Called once it is known to be good: says under which keys it is stored.
 * @throws what `data`, `note` and the store throw; the signal's reason when it is aborted.
 */
export type TakeUpload = (
  of: Pick<Upload, 'accountId' | 'type'> & { keep: KeptOfFile },
  data: AsyncIterable<Uint8Array>,
  note: (
    file: Pick<Upload, 'bytes' | 'size' | 'seconds'> & {
      /** Null where the file itself is not kept. */
      extension: string | null;
      hasPreview: boolean;
    },
  ) => Promise<Pick<Upload, 'key' | 'previewKey'>>,
  signal: AbortSignal,
) => Promise<UploadTaken>;

/**
 * A transfer ended without its file: the host could not be reached, answered something else or stopped
 * half-way (`unreachable`), or sent more than was allowed (`too_large`). The message is for logs only.
 * Callers catch it to distinguish a failed transfer from failures of their own.
 */
export class TransferFailure extends Error {
  readonly kind: 'unreachable' | 'too_large';
  constructor(kind: 'unreachable' | 'too_large', message: string) {
    super(message);
    this.kind = kind;
  }
}

/**
 * Fetches a URL that a customer gave, through the guarded client: public addresses only, no redirects,
 * status 200 only, within its time. The stream may fail with TransferFailure, too.
 * @throws TransferFailure; the signal's reason when it is aborted.
 */
export type FetchUrl = (
  url: string,
  options: { maxBytes: number; signal: AbortSignal },
) => Promise<Readable>;

/** Uploads of accounts, at most some tens of each. Times in ms since the epoch, database time. */
export interface UploadStore {
  /** Notes an upload before its files are stored, so that a killed process leaves none behind unknown. */
  insert(upload: Upload): Promise<void>;
  /** One that has not expired. */
  find(id: string): Promise<Upload | null>;
  /** All of an account, expired or not. */
  ofAccount(accountId: string): Promise<Upload[]>;
  /** Keeps an account's uploads at least until then: a generation needs them. */
  keepUntil(
    of: { accountId: string; generationId: string },
    ids: readonly string[],
    untilMs: number,
  ): Promise<void>;
  /** A generation needs these no longer: it has read them, or has ended. */
  release(generationId: string, ids: readonly string[]): Promise<void>;
  /** Uploads that have expired, in pages. */
  expired(nowMs: number): AsyncIterable<string[]>;
  /** One expires now. @returns it; null where there is none. */
  expire(id: string): Promise<Upload | null>;
  /** All of an account expire now; upkeep removes them. */
  expireAll(accountId: string): Promise<void>;
  /** Forgets one whose files are gone. */
  remove(id: string): Promise<void>;
}
