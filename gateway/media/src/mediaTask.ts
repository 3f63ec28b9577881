import type { FileKind } from '@framegate/contract/fileKinds';
import type { PictureMeasures } from './pictureMeasures.ts';

/** Inspects a customer's file, and prepares it for a provider. */
export interface InspectTask {
  task: 'inspect';
  path: string;
  type: 'image' | 'video' | 'audio';
  maxPixels: number;
  /** Maximum pixels of a WebP with transparency that must be encoded, which takes several times the memory. */
  maxTransparentWebpPixels?: number;
  /** Path for the prepared file, written if it differs; absent if the file is only looked at. */
  target?: string;
  /** Path for a preview of a picture or video, if it can be drawn. */
  preview?: string;
}

/** Work on a file with untrusted bytes, done in its own process (mediaProcess.ts). */
export type MediaTask =
  | InspectTask
  /**
   * Makes an MP4 of a provider's video at `target`; the file itself may be cleaned in place and linked there.
   */
  | { task: 'cleanVideo'; path: string; target: string; manifest?: ManifestRequest }
  | {
      task: 'encodeImage';
      path: string;
      target: string;
      format: 'png' | 'jpeg' | 'webp';
      maxPixels: number;
      manifest?: ManifestRequest;
      /** Posters to draw once the result is finished, so that they cannot cause its loss. */
      posters?: PosterTarget[];
    }
  /** Extracts the first or last frame of a cleaned video in full size, with a preview. */
  | {
      task: 'drawFrame';
      path: string;
      which: 'first' | 'last';
      target: string;
      preview: string;
      maxPixels: number;
    }
  /** Draws posters of a cleaned file, a WebP for each width. */
  | {
      task: 'drawPosters';
      path: string;
      type: 'image' | 'video';
      targets: PosterTarget[];
      maxPixels: number;
    };

/** A poster to draw: at most this wide, into this file. */
export interface PosterTarget {
  width: number;
  path: string;
}

/** A manifest for a result, to be signed by the parent. */
export interface ManifestRequest {
  /** Name of the product that makes the files, for the claim. */
  generator: string;
  algorithm: string;
  signatureBytes: number;
}

/** The outcome of a result's manifest. */
export interface ManifestResult {
  /** Why the file has none; absent if it has one. */
  unsigned?: string;
  /** Whether the child must not take another file. */
  isSpent?: boolean;
}

/** The outcome of posters requested together with a result. */
export interface PostersResult {
  /** Whether all posters were drawn. */
  posters?: boolean;
  /** Why there are none. */
  noPosters?: string;
}

/** The properties of a valid file. Sizes in pixels as displayed, durations in seconds. */
export interface InspectedMedia extends ManifestResult, PostersResult {
  ok: true;
  mediaType: string;
  /** Extension of the stored file, without a dot. */
  extension: string;
  width?: number;
  height?: number;
  seconds?: number;
  /** Whether a video has an audio track that is not silent. */
  sound?: boolean;
  /** Measures of a result's picture and sound. */
  measures?: PictureMeasures;
  /** Whether the requested preview was drawn. */
  hasPreview?: boolean;
  /** Whether the file at `target` replaces the customer's file. */
  isPrepared?: boolean;
  /** Oddities and corrections, in words for logs. */
  oddities?: string[];
}

/** An invalid file; the reason is short, for staff and logs. */
export interface InvalidMedia {
  ok: false;
  reason: string;
  /** Whether reading the file cost more than a valid one would. */
  isSlow?: boolean;
  /** The kind of a customer's file, if it makes the file invalid. */
  actualKind?: FileKind;
  /** Media type of a valid file if it is not the requested one. */
  otherType?: string;
  /** The count and the limit, if a picture has too many pixels. */
  tooManyPixels?: { pixels: number; max: number; isTransparentWebp: boolean };
}

/** The verdict of a child on a file. */
export type MediaVerdict = InspectedMedia | InvalidMedia;

/** The child's response; a `fault` concerns our own installation or disk, not the file. */
export type ChildResponse = MediaVerdict | { fault: string };

/** The child's note before its response: the result is finished, and its posters follow. */
export interface FinishedNote {
  finished: InspectedMedia;
}

/** The child's request before its response: a claim to sign, in base64. */
export interface SignQuestion {
  claim: string;
}

/** The parent's reply: the signature in base64, or the reason for its absence. */
export type SignReply = { signature: string } | { refused: string };
