import type { Readable } from 'node:stream';
import type { InputType } from '@framegate/contract';
import type { FileKind, WrongFile } from '@framegate/contract/fileKinds';
import type { MediaStore } from './mediaStore.ts';
import type { PictureMeasures } from './pictureMeasures.ts';

/** The media store and the only ways to put files into it. */
export interface Media {
  store: MediaStore;
  takeInputs: TakeInputs;
  storeUpload: StoreUpload;
  storeOutput: StoreOutput;
  makePosters: MakePosters;
  /** Removes temporary files last changed before `beforeMs`, which a killed process left behind. */
  removeLeftovers(beforeMs: number): Promise<void>;
  /** Closes the store's connections. */
  close(): void;
}

/** Limits on inputs: per file, and on the total seconds of all files of a type. */
export interface InputFileLimits {
  image: { maxBytes: number; maxPixels: number };
  video: { maxBytes: number; maxSeconds: number };
  audio: { maxBytes: number; maxSeconds: number };
}

/** Maximum bytes of a provider's file, before and after cleaning. */
export type OutputFileLimits = Readonly<Record<'video' | 'image', number>>;

/** Key in the store of input number `index` of a generation. */
export type InputKey = (of: { generationId: string; index: number; extension: string }) => string;

/** The posters of results. */
export interface PosterOptions {
  /** The types of results that get posters. */
  types: readonly ('image' | 'video')[];
  /** The widths, in pixels, with the key of each poster of an output. */
  sizes: readonly { width: number; posterKey: (outputKey: string) => string }[];
}

/** A result as measured. Unmeasured figures are absent. */
export interface ResultMeasures extends PictureMeasures {
  /** Width in pixels, as displayed. */
  width?: number;
  height?: number;
  /** Length of a video in seconds. */
  seconds?: number;
  /** Whether a video has an audio track. */
  sound?: boolean;
}

/** A stored output file. */
export interface StoredOutput {
  mediaType: string;
  bytes: number;
  sha256: string;
  hasPoster?: boolean;
  measures: ResultMeasures;
}

/**
 * Checks, cleans, marks, measures and stores one output file, and its posters if they can be made quickly. Accounts
 * take turns.
 * @param output `read` opens it; may be called again after a failure.
 * @throws InvalidOutputError if it is not of the requested kind; TransferError if it is too large; ReaderError;
 * read errors.
 */
export type StoreOutput = (
  key: string,
  output: { read(signal: AbortSignal): Promise<Uint8Array | AsyncIterable<Uint8Array>> },
  wanted: { accountId: string; type: 'video' | 'image'; format: string },
  signal: AbortSignal,
) => Promise<StoredOutput>;

/** Makes the posters of an output stored without them; `impossible` means that a retry cannot help. Never throws. */
export type MakePosters = (
  outputKey: string,
  type: 'video' | 'image',
  signal: AbortSignal,
) => Promise<'made' | 'missed' | 'impossible'>;

/** An input to copy; `storeKey` is set for a file of the store, and empty if that file was deleted. */
export interface GivenInput {
  type: InputType;
  url: string;
  storeKey: string | null;
}

/**
 * The result of copying the inputs. `reason` is for staff; `wrongFile` is set if the file is of another kind than
 * expected; `isSlow` means that reading it cost more than a valid file would.
 */
export type TakeInputsResult =
  | {
      ok: true;
      stored: {
        key: string;
        mediaType: string;
        bytes: number;
        sha256: string;
        seconds?: number;
      }[];
    }
  | {
      ok: false;
      code: 'input_unreachable' | 'input_invalid';
      param: string;
      reason: string;
      wrongFile?: WrongFile;
      isSlow?: boolean;
    };

/**
 * Copies a generation's inputs into the store, fetching customers' URLs with `FetchUrl`.
 * @throws InputStoreError if the store failed; the signal's reason if aborted.
 */
export type TakeInputs = (
  of: { id: string; accountId: string },
  inputs: readonly GivenInput[],
  signal: AbortSignal,
) => Promise<TakeInputsResult>;

/** The part to keep of a file: the file, only a preview, or a full-size frame of the account's own video. */
export type KeptPart = 'file' | 'preview' | 'firstFrame' | 'lastFrame';

/** The result of storing a file; `reason` is for logs; `is` is the kind of a file of the wrong kind. */
export type StoreUploadResult =
  | { ok: true }
  | { ok: false; problem: 'too_large'; maxBytes: number }
  /** The limit of a picture; `maxBehindUrl` applies to pictures given by URL. */
  | {
      ok: false;
      problem: 'too_many_pixels';
      pixels: number;
      max: number;
      isTransparentWebp: boolean;
      maxBehindUrl: number;
    }
  /** The upload was too slow. */
  | { ok: false; problem: 'too_slow'; bytesPerSecond: number }
  /** Too many files of other accounts are being processed; retry after this many seconds. */
  | { ok: false; problem: 'busy'; retryAfterSeconds: number }
  | { ok: false; problem: 'invalid'; reason: string; actualKind?: FileKind };

/**
 * Stores a customer's file within the limits for inputs.
 * @param data Read once the account's earlier files leave room for it.
 * @param note Called once the file is known to be valid; returns the keys to store it under.
 * @throws Errors of `data`, `note` and the store; the signal's reason if aborted.
 */
export type StoreUpload = (
  of: { accountId: string; type: InputType; keep: KeptPart },
  data: AsyncIterable<Uint8Array>,
  note: (file: {
    bytes: number;
    /** Size in pixels of a picture or a video. */
    size: { width: number; height: number } | null;
    /** Duration of a video or audio file; null for a picture. */
    seconds: number | null;
    /** Null if the file itself is not kept. */
    extension: string | null;
    hasPreview: boolean;
  }) => Promise<{ key: string | null; previewKey: string | null }>,
  signal: AbortSignal,
) => Promise<StoreUploadResult>;

/**
 * Fetches a customer's URL. The caller guards the network; the stream can also fail with TransferError.
 * @throws TransferError; the signal's reason if aborted.
 */
export type FetchUrl = (
  url: string,
  options: { maxBytes: number; signal: AbortSignal },
) => Promise<Readable>;
