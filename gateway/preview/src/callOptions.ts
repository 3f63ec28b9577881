import type {
  Experimental_VideoModelV4CallOptions as VideoCallOptions,
  Experimental_VideoModelV4File as VideoFile,
  ImageModelV4CallOptions as ImageCallOptions,
  SharedV4Warning,
} from '@ai-sdk/provider';
import {
  frameRate,
  type ImageSpec,
  type InputSpec,
  type PictureFile,
  type PictureFormat,
  pictureFormats,
  type PixelSize,
  RenderError,
  type VideoSpec,
} from './spec.ts';

/** Minimum and maximum length of a side, in pixels. */
const minSidePixels = 16;
const maxSidePixels = 8192;
/** Maximum length of a video, in seconds. */
const maxSeconds = 60;
/** Maximum number of images per call. */
export const maxImages = 4;

/** Default area of a picture, in pixels. */
const defaultVideoPixels = 1280 * 720;
const defaultImagePixels = 1024 * 1024;

/** A request converted for the renderer. */
export interface ParsedCall<Spec> {
  spec: Spec;
  files: readonly PictureFile[];
  warnings: SharedV4Warning[];
}

/**
 * Converts the options of a video call into a spec. Without a seed, `fallbackSeed` is used.
 * @throws RenderError if the request is not supported.
 */
export function parseVideoCall(
  options: VideoCallOptions,
  fallbackSeed: number,
): ParsedCall<VideoSpec> {
  if (options.n !== 1) throw new RenderError('render_failed', 'one video at a time');
  const seconds = options.duration ?? 5;
  const frames = Math.round(seconds * frameRate);
  if (!(frames >= 1 && seconds <= maxSeconds)) {
    throw new RenderError('render_failed', `a duration of ${seconds} s is out of bounds`);
  }
  const warnings: SharedV4Warning[] = [];
  if (options.fps !== undefined && options.fps !== frameRate) {
    warnings.push({ type: 'unsupported', feature: 'fps' });
  }
  const ratio =
    options.aspectRatio === undefined || options.aspectRatio === 'adaptive'
      ? '16:9'
      : options.aspectRatio;
  const requested = [
    ...(options.image ? [{ role: 'first_frame' as const, file: options.image }] : []),
    ...(options.frameImages ?? []).map((frame) => ({ role: frame.frameType, file: frame.image })),
    ...(options.inputReferences ?? []).map((file) => ({ role: 'reference' as const, file })),
  ];
  const { inputs, files } = parseInputs(requested);
  return {
    spec: {
      kind: 'video',
      prompt: options.prompt ?? '',
      seed: options.seed ?? fallbackSeed,
      ...parseSize(options.resolution, ratio, defaultVideoPixels),
      inputs,
      frames,
      audio: options.generateAudio === true,
    },
    files,
    warnings,
  };
}

/**
 * Converts the options of an image call into a spec. The format is `providerOptions.preview.outputFormat`.
 * @throws RenderError if the request is not supported.
 */
export function parseImageCall(
  options: ImageCallOptions,
  fallbackSeed: number,
): ParsedCall<ImageSpec> {
  if (!(Number.isInteger(options.n) && options.n >= 1 && options.n <= maxImages)) {
    throw new RenderError('render_failed', `${options.n} images at a time`);
  }
  const format = options.providerOptions['preview']?.['outputFormat'] ?? 'png';
  if (!isPictureFormat(format)) {
    throw new RenderError('render_failed', `no image format ${JSON.stringify(format)}`);
  }
  const warnings: SharedV4Warning[] = [];
  if (options.mask !== undefined) warnings.push({ type: 'unsupported', feature: 'mask' });
  const { inputs, files } = parseInputs(
    (options.files ?? []).map((file) => ({ role: 'reference' as const, file })),
  );
  return {
    spec: {
      kind: 'image',
      prompt: options.prompt ?? '',
      seed: options.seed ?? fallbackSeed,
      ...parseSize(options.size, options.aspectRatio ?? '1:1', defaultImagePixels),
      inputs,
      count: options.n,
      format,
    },
    files,
    warnings,
  };
}

function isPictureFormat(value: unknown): value is PictureFormat {
  return pictureFormats.some((format) => format === value);
}

/** Parses `WxH` with even sides, as H.264 requires; without it, derives the size from ratio and area. */
function parseSize(text: string | undefined, aspectRatio: string, area: number): PixelSize {
  if (text === undefined) return sizeOfRatio(aspectRatio, area);
  const [width = NaN, height = NaN] = text.split('x').map(Number);
  const isDrawable = [width, height].every(
    (side) =>
      Number.isInteger(side) && side % 2 === 0 && side >= minSidePixels && side <= maxSidePixels,
  );
  if (!isDrawable) throw new RenderError('render_failed', `a size of ${text} cannot be drawn`);
  return { width, height };
}

/** The size with exactly the ratio `<w>:<h>` and sides in steps of 8 that is nearest to an area in pixels. */
function sizeOfRatio(aspectRatio: string, area: number): PixelSize {
  const [, across, down] = /^([1-9]\d{0,2}):([1-9]\d{0,2})$/.exec(aspectRatio)?.map(Number) ?? [];
  if (across === undefined || down === undefined) {
    throw new RenderError('render_failed', `no aspect ratio ${aspectRatio}`);
  }
  const divisor = greatestCommonDivisor(across, down);
  const unit = { width: (across / divisor) * 8, height: (down / divisor) * 8 };
  const factor = Math.max(1, Math.round(Math.sqrt(area / (unit.width * unit.height))));
  return { width: unit.width * factor, height: unit.height * factor };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** Describes each input for the spec and collects the bytes of pictures. */
function parseInputs(
  requested: readonly {
    role: InputSpec['role'];
    file: VideoFile | (VideoFile & { type: 'url' });
  }[],
): { inputs: InputSpec[]; files: PictureFile[] } {
  const inputs: InputSpec[] = [];
  const files: PictureFile[] = [];
  for (const { role, file } of requested) {
    const media = kindOfMedia(file.mediaType);
    if (media !== 'image') {
      // Not decoded: a symbol represents it.
      inputs.push({ role, media, file: null });
      continue;
    }
    if (file.type === 'url') {
      throw new RenderError('render_failed', 'pictures are taken as bytes, not as URLs');
    }
    const name = `input-${files.length}`;
    const data = typeof file.data === 'string' ? Buffer.from(file.data, 'base64') : file.data;
    files.push({ name, data });
    inputs.push({ role, media, file: name });
  }
  return { inputs, files };
}

function kindOfMedia(mediaType: string | undefined): InputSpec['media'] {
  if (mediaType?.startsWith('video/')) return 'video';
  return mediaType?.startsWith('audio/') ? 'audio' : 'image';
}
