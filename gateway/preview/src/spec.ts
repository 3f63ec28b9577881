/** Frames per second of every preview video. */
export const frameRate = 24;

/** Image file types that the renderer writes. */
export const imageFormats = ['png', 'jpeg', 'webp'] as const;
export type ImageFormat = (typeof imageFormats)[number];

/** Width and height of a picture, pixels. */
export type PixelSize = { readonly width: number; readonly height: number };

/** One input of a render. `file` is its name in the request's folder; only pictures have one. */
export type InputSpec = {
  readonly role: 'first_frame' | 'last_frame' | 'reference';
  readonly media: 'image' | 'video' | 'audio';
  readonly file: string | null;
};

type CommonSpec = PixelSize & {
  readonly prompt: string;
  readonly seed: number;
  readonly inputs: readonly InputSpec[];
};

export type VideoSpec = CommonSpec & {
  readonly kind: 'video';
  /** Number of frames, at `frameRate`. */
  readonly frames: number;
  /** Whether the file has a sound track. */
  readonly audio: boolean;
};

export type ImageSpec = CommonSpec & {
  readonly kind: 'image';
  /** How many images, with the seeds `seed`, `seed + 1` and so on. */
  readonly count: number;
  readonly format: ImageFormat;
};

/** Everything that a render is made from, as stored in `spec.json`; equal specs give equal pictures. */
export type RenderSpec = VideoSpec | ImageSpec;

/** Bytes that belong to a spec, with the file name that the spec uses for them. */
export type InputFile = { readonly name: string; readonly data: Uint8Array };

/** The outcome of a render, as stored in `result.json`. `files` are names in the request's folder. */
export type RenderResult =
  | { readonly ok: true; readonly files: readonly string[] }
  | { readonly ok: false; readonly error: string };

/**
 * A failed render. Its message begins with its kind, which a caller may match: `input_invalid` when an
 * input cannot be drawn, `render_failed` for everything else. The text is for operators.
 */
export class RenderFailure extends Error {
  constructor(kind: 'input_invalid' | 'render_failed', reason: string, cause?: unknown) {
    super(`${kind}: ${reason}`, { cause });
    this.name = 'RenderFailure';
  }

  /** The failure with a text that `failureText` made. */
  static fromText(text: string, cause?: unknown): RenderFailure {
    const [, kind, reason] = /^(input_invalid|render_failed): ([^]*)$/.exec(text) ?? [];
    return kind === 'input_invalid'
      ? new RenderFailure('input_invalid', reason ?? '', cause)
      : new RenderFailure('render_failed', reason ?? text, cause);
  }
}

/** The message of any error, beginning with its kind. */
export function failureText(error: unknown): string {
  if (error instanceof RenderFailure) return error.message;
  return `render_failed: ${error instanceof Error ? error.message : String(error)}`;
}

/** Throws any error again as a RenderFailure, with its cause. */
export function rethrowAsFailure(error: unknown): never {
  if (error instanceof RenderFailure) throw error;
  throw RenderFailure.fromText(failureText(error), error);
}
