/** Frames per second of every preview video. */
export const FRAME_RATE = 24;

/** Image file types that the renderer writes. */
export const IMAGE_FORMATS = ['png', 'jpeg', 'webp'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** One input of a render. `file` is its name in the request's folder; only pictures have one. */
export type InputSpec = {
  readonly role: 'first_frame' | 'last_frame' | 'reference';
  readonly media: 'image' | 'video' | 'audio';
  readonly file: string | null;
};

type CommonSpec = {
  readonly prompt: string;
  readonly seed: number;
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
  readonly inputs: readonly InputSpec[];
};

export type VideoSpec = CommonSpec & {
  readonly kind: 'video';
  /** Frames at FRAME_RATE. */
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

/** Everything that a render is made from, as it is kept in `spec.json`; equal specs give equal pictures. */
export type RenderSpec = VideoSpec | ImageSpec;

/** What a render came to, as it is kept in `result.json`. `files` are names in the request's folder. */
export type RenderResult =
  | { readonly ok: true; readonly files: readonly string[] }
  | { readonly ok: false; readonly error: string };

/** Bytes that go with a spec: the file name that the spec uses for them, and the bytes. */
export type InputFile = { readonly name: string; readonly data: Uint8Array };
