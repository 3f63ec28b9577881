import {
  type Experimental_VideoModelV4CallOptions as VideoOptions,
  type ImageModelV4CallOptions as ImageOptions,
  type SharedV4ProviderOptions,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';

type File = { type: 'file' } | { type: 'url'; url: string; mediaType?: string };

/** The body of a create request. */
export interface Body {
  model: string;
  prompt: string;
  parameters: Record<string, unknown>;
  [field: string]: unknown;
}

const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', '3:2', '2:3'];

/**
 * The body of POST /videos. Unsupported values are sent unchanged, so that the API refuses them, listing the choices,
 * instead of making something else.
 * @throws UnsupportedFunctionalityError for files as bytes, and for frames together with references.
 */
export function videoBody(model: string, options: VideoOptions): Body {
  const { aspectRatio, resolution, duration, seed, generateAudio } = options;
  const size = pixelsOf(resolution);
  const { mode, inputs } = videoInputs(options);
  const parameters = {
    duration_seconds: duration,
    resolution: size ? videoResolution(size) : resolution,
    aspect_ratio: aspectRatio === 'adaptive' ? undefined : (aspectRatio ?? (size && ratioOf(size))),
    generate_audio: generateAudio,
    seed,
  };
  const body = { model, mode, prompt: options.prompt ?? '', inputs, parameters };
  return withOwn(body, options.providerOptions);
}

/** The body of POST /images, with the same rules. @throws UnsupportedFunctionalityError for bytes and masks. */
export function imageBody(model: string, options: ImageOptions): Body {
  const { aspectRatio, seed, n, files, mask } = options;
  if (mask) throw new UnsupportedFunctionalityError({ functionality: 'mask' });
  const size = pixelsOf(options.size);
  const parameters = {
    n,
    resolution: size ? imageResolution(size) : options.size,
    aspect_ratio: aspectRatio ?? (size && ratioOf(size)),
    seed,
  };
  const inputs = files?.map((file) => ({ type: 'image', url: urlOf(file) }));
  return withOwn(
    { model, prompt: options.prompt ?? '', inputs, parameters },
    options.providerOptions,
  );
}

/** Fields of the API's own body override ours. A gateway that uses us as a provider names us after the package. */
function withOwn(body: Body, providerOptions: SharedV4ProviderOptions): Body {
  const own = { ...providerOptions['ai-sdk-provider'], ...providerOptions['framegate'] };
  const parameters = { ...body.parameters, ...(own['parameters'] as object | undefined) };
  return { ...body, ...own, parameters };
}

function videoInputs({ image, frameImages = [], inputReferences = [] }: VideoOptions) {
  const named = frameImages.map(({ image: file, frameType: role }) => ({ file, role }));
  const hasFirst = named.some(({ role }) => role === 'first_frame');
  const frames = image && !hasFirst ? [{ file: image, role: 'first_frame' }, ...named] : named;
  if (frames.length > 0 && inputReferences.length > 0) {
    throw new UnsupportedFunctionalityError({
      functionality: 'frames together with inputReferences',
    });
  }
  if (frames.length > 0) {
    const inputs = frames.map(({ file, role }) => ({ type: 'image', url: urlOf(file), role }));
    return { mode: 'image-to-video', inputs };
  }
  if (inputReferences.length === 0) return { mode: 'text-to-video', inputs: undefined };
  const inputs = inputReferences.map((file) => ({ type: kindOf(file), url: urlOf(file) }));
  return { mode: 'multimodal-to-video', inputs };
}

function urlOf(file: File): string {
  if (file.type === 'url') return file.url;
  throw new UnsupportedFunctionalityError({
    functionality: 'files as bytes',
    message: "Framegate does not accept uploads: pass an https URL instead of the file's bytes.",
  });
}

/** The kind by the media type if known, else by the end of the path. */
function kindOf(file: File & { mediaType?: string }): string {
  const kind = /^(image|video|audio)\//.exec(file.mediaType ?? '')?.[1];
  if (kind !== undefined) return kind;
  const path = new URL(urlOf(file)).pathname;
  if (/\.(mp4|mov|webm)$/i.test(path)) return 'video';
  return /\.(mp3|wav|m4a)$/i.test(path) ? 'audio' : 'image';
}

interface Pixels {
  width: number;
  height: number;
}

function pixelsOf(size: string | undefined): Pixels | undefined {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size ?? '') ?? [];
  return width && height ? { width: Number(width), height: Number(height) } : undefined;
}

/** By the short side, except for the widest: at 2160p they are limited by their long side. */
function videoResolution({ width, height }: Pixels): string {
  return `${Math.max(width, height) >= 3840 ? 2160 : Math.min(width, height)}p`;
}

/** By area: 1k is that of 1024x1024. The bounds are half-way between the resolutions. */
function imageResolution({ width, height }: Pixels): string {
  const side = Math.sqrt(width * height);
  if (side < 1024 * Math.SQRT2) return '1k';
  return side < 2048 * Math.SQRT2 ? '2k' : '4k';
}

/** The offered ratio within two per cent, a tolerance for rounded sides; else the sides themselves. */
function ratioOf({ width, height }: Pixels): string {
  const isNear = (ratio: string) => {
    const [across = 1, down = 1] = ratio.split(':').map(Number);
    return Math.abs((width * down) / (height * across) - 1) < 0.02;
  };
  return ratios.find(isNear) ?? `${width}:${height}`;
}
