import type {
  Experimental_VideoModelV4CallOptions as VideoCallOptions,
  Experimental_VideoModelV4File as VideoFile,
  ImageModelV4CallOptions as ImageCallOptions,
  SharedV4Warning,
} from '@ai-sdk/provider';
import { imageSize } from './imageSize.ts';
import { RenderFailure } from './renderFailure.ts';
import {
  FRAME_RATE,
  IMAGE_FORMATS,
  type ImageFormat,
  type ImageSpec,
  type InputFile,
  type InputSpec,
  type VideoSpec,
} from './renderSpec.ts';
import { videoSize, type PixelSize } from './videoSize.ts';

/** Sides that the renderer draws, pixels. */
const SIDE = { min: 16, max: 8192 };
/** The longest video, seconds. */
const SECONDS_MAX = 60;
/** The most images of one call. */
export const IMAGES_MAX = 4;

/** A request in the renderer's own terms. */
export type ReadRequest<Spec> = {
  readonly spec: Spec;
  readonly files: readonly InputFile[];
  readonly warnings: SharedV4Warning[];
};

/**
 * Turns the options of a video call into a spec. Without a seed, `fallbackSeed` is taken.
 *
 * @throws RenderFailure when the request cannot be drawn as asked
 */
export function readVideoCall(
  options: VideoCallOptions,
  fallbackSeed: number,
): ReadRequest<VideoSpec> {
  if (options.n !== 1) throw new RenderFailure('render_failed', 'one video at a time');
  const seconds = options.duration ?? 5;
  const frames = Math.round(seconds * FRAME_RATE);
  if (!(frames >= 1 && seconds <= SECONDS_MAX)) {
    throw new RenderFailure('render_failed', `a duration of ${String(seconds)} s is out of bounds`);
  }
  const warnings: SharedV4Warning[] = [];
  if (options.fps !== undefined && options.fps !== FRAME_RATE) {
    warnings.push({ type: 'unsupported', feature: 'fps' });
  }
  const ratio =
    options.aspectRatio === undefined || options.aspectRatio === 'adaptive'
      ? '16:9'
      : options.aspectRatio;
  const asked = [
    ...(options.image ? [{ role: 'first_frame' as const, file: options.image }] : []),
    ...(options.frameImages ?? []).map((frame) => ({ role: frame.frameType, file: frame.image })),
    ...(options.inputReferences ?? []).map((file) => ({ role: 'reference' as const, file })),
  ];
  const { inputs, files } = readInputs(asked);
  return {
    spec: {
      kind: 'video',
      prompt: options.prompt ?? '',
      seed: options.seed ?? fallbackSeed,
      ...readSize(options.resolution, () => videoSize('720p', ratio)),
      inputs,
      frames,
      audio: options.generateAudio === true,
    },
    files,
    warnings,
  };
}

/**
 * Turns the options of an image call into a spec. The format is `providerOptions.preview.outputFormat`.
 *
 * @throws RenderFailure when the request cannot be drawn as asked
 */
export function readImageCall(
  options: ImageCallOptions,
  fallbackSeed: number,
): ReadRequest<ImageSpec> {
  if (!(Number.isInteger(options.n) && options.n >= 1 && options.n <= IMAGES_MAX)) {
    throw new RenderFailure('render_failed', `${String(options.n)} images at a time`);
  }
  const format = options.providerOptions['preview']?.['outputFormat'] ?? 'png';
  if (!isImageFormat(format)) {
    throw new RenderFailure('render_failed', `no image format ${JSON.stringify(format)}`);
  }
  const warnings: SharedV4Warning[] = [];
  if (options.mask !== undefined) warnings.push({ type: 'unsupported', feature: 'mask' });
  const { inputs, files } = readInputs(
    (options.files ?? []).map((file) => ({ role: 'reference' as const, file })),
  );
  return {
    spec: {
      kind: 'image',
      prompt: options.prompt ?? '',
      seed: options.seed ?? fallbackSeed,
      ...readSize(options.size, () => imageSize('1k', options.aspectRatio ?? '1:1')),
      inputs,
      count: options.n,
      format,
    },
    files,
    warnings,
  };
}

function isImageFormat(value: unknown): value is ImageFormat {
  return IMAGE_FORMATS.some((format) => format === value);
}

/** Reads `WxH`; both sides must be even for H.264, which every size of ours is. */
function readSize(text: string | undefined, otherwise: () => PixelSize): PixelSize {
  if (text === undefined) return otherwise();
  const [width = Number.NaN, height = Number.NaN] = text.split('x').map(Number);
  const good = [width, height].every(
    (side) => Number.isInteger(side) && side % 2 === 0 && side >= SIDE.min && side <= SIDE.max,
  );
  if (!good) throw new RenderFailure('render_failed', `a size of ${text} cannot be drawn`);
  return { width, height };
}

/** Sorts inputs into what the spec says about them and the bytes of the pictures among them. */
function readInputs(
  asked: readonly { role: InputSpec['role']; file: VideoFile | (VideoFile & { type: 'url' }) }[],
): { inputs: InputSpec[]; files: InputFile[] } {
  const inputs: InputSpec[] = [];
  const files: InputFile[] = [];
  for (const { role, file } of asked) {
    const media = kindOfMedia(file.mediaType);
    if (media !== 'image') {
      // Never decoded: a neutral still stands for it.
      inputs.push({ role, media, file: null });
      continue;
    }
    if (file.type === 'url') {
      throw new RenderFailure('render_failed', 'pictures are taken as bytes, not as URLs');
    }
    const name = `input-${String(files.length)}`;
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
