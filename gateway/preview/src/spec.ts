import { messageOf } from '@framegate/contract/text';

/** Frames per second of preview videos. */
export const frameRate = 24;

/** Supported image formats. */
export const pictureFormats = ['png', 'jpeg', 'webp'] as const;
/** A supported image format. */
export type PictureFormat = (typeof pictureFormats)[number];

/** Size in pixels. */
export interface PixelSize {
  width: number;
  height: number;
}

/** One input of a render. `file` is its name in the request's folder, for pictures only. */
export interface InputSpec {
  role: 'first_frame' | 'last_frame' | 'reference';
  media: 'image' | 'video' | 'audio';
  file: string | null;
}

/** The fields of both kinds of renders. */
interface CommonSpec extends PixelSize {
  prompt: string;
  seed: number;
  inputs: readonly InputSpec[];
}

/** A video to render. */
export interface VideoSpec extends CommonSpec {
  kind: 'video';
  /** Number of frames, at `frameRate`. */
  frames: number;
  /** Whether the video has a sound track. */
  audio: boolean;
}

/** Images to render. */
export interface ImageSpec extends CommonSpec {
  kind: 'image';
  /** Number of images, with the seeds `seed`, `seed + 1` and so on. */
  count: number;
  format: PictureFormat;
}

/** Complete specification of a render, stored in `spec.json`. Equal specs produce equal pictures. */
export type RenderSpec = VideoSpec | ImageSpec;

/** A picture of a spec, with its name in the request's folder. */
export interface PictureFile {
  name: string;
  data: Uint8Array;
}

/** Outcome of a render, stored in `result.json`. `files` are names in the request's folder. */
export type RenderResult = { ok: true; files: readonly string[] } | { ok: false; error: string };

/**
 * A failed render. The message starts with its kind, for matching by callers: `input_invalid` if an input cannot
 * be drawn, otherwise `render_failed`. The rest is for operators.
 */
export class RenderError extends Error {
  override readonly name = 'RenderError';

  constructor(kind: 'input_invalid' | 'render_failed', reason: string, cause?: unknown) {
    super(`${kind}: ${reason}`, { cause });
  }

  /** Creates a failure from a text of `describeFailure`. */
  static fromText(text: string, cause?: unknown): RenderError {
    const [, kind, reason] = /^(input_invalid|render_failed): ([^]*)$/.exec(text) ?? [];
    return kind === 'input_invalid'
      ? new RenderError('input_invalid', reason ?? '', cause)
      : new RenderError('render_failed', reason ?? text, cause);
  }
}

/** Message of any error, starting with its kind. */
export function describeFailure(error: unknown): string {
  if (error instanceof RenderError) return error.message;
  return `render_failed: ${messageOf(error)}`;
}

/** Rethrows any error as a RenderError with its cause. */
export function rethrowAsFailure(error: unknown): never {
  if (error instanceof RenderError) throw error;
  throw RenderError.fromText(describeFailure(error), error);
}
