import type {
  Experimental_VideoModelV4CallOptions as VideoCallOptions,
  ImageModelV4CallOptions as ImageCallOptions,
} from '@ai-sdk/provider';
import type { ImageParameters, VideoParameters } from '@framegate/contract';
import type { JsonObject } from './configuredRoutes.ts';
import { fileValue, isOfKind, type InputFile } from './inputFiles.ts';
import { imageSize, videoSize } from './pixelSize.ts';
import type { PixelSize } from './route.ts';
import type { RoutePlan } from './routePlan.ts';
import {
  fillIn,
  interfaceFields,
  isFrames,
  promises,
  type Placement,
  type Promised,
} from './send.ts';

/** An order with its prepared inputs, and how its model takes it. */
export interface Order<P extends VideoParameters | ImageParameters> {
  /** For models that have a field for it among those of `send`. */
  prompt?: string;
  parameters: P;
  firstFrame?: InputFile | undefined;
  lastFrame?: InputFile | undefined;
  references: readonly InputFile[];
  plan: RoutePlan;
}

type VideoOrder = Order<VideoParameters>;
type ImageOrder = Order<ImageParameters>;

/** The parts of a call that carry our parameters; `own` are the provider's own options. */
export type VideoOrderCall = { own: JsonObject } & Pick<
  VideoCallOptions,
  | 'aspectRatio'
  | 'resolution'
  | 'duration'
  | 'seed'
  | 'image'
  | 'frameImages'
  | 'inputReferences'
  | 'generateAudio'
>;

/** The same for images. `seed` is that of the first image; each further call gets the next one. */
export type ImageOrderCall = { own: JsonObject } & Pick<
  ImageCallOptions,
  'size' | 'aspectRatio' | 'seed' | 'files'
>;

/** Writes a video's order as a call of the interface. */
export function writeVideoCall(order: VideoOrder): VideoOrderCall {
  const { resolution, aspect_ratio: ratio } = order.parameters;
  const call = write(
    order,
    'video',
    pixels(order, () => videoSize(resolution, ratio)),
  );
  const { firstFrame: first, lastFrame: last } = order;
  // A first frame alone is `image`; with a last frame both are `frameImages`.
  if (call['frameImages'] !== undefined && first && last) {
    call['image'] = undefined;
    call['frameImages'] = [
      { image: first, frameType: 'first_frame' },
      { image: last, frameType: 'last_frame' },
    ];
  }
  return call as unknown as VideoOrderCall;
}

/** Writes an order of images as a call of the interface. */
export function writeImageCall(order: ImageOrder): ImageOrderCall {
  const { resolution, aspect_ratio: ratio } = order.parameters;
  const size = pixels(order, () => imageSize(resolution, ratio, order.plan.row?.step));
  return write(order, 'image', size) as unknown as ImageOrderCall;
}

function pixels({ parameters, plan }: VideoOrder | ImageOrder, own: () => PixelSize): PixelSize {
  const listed = plan.row?.sizes?.[parameters.resolution]?.[parameters.aspect_ratio];
  return listed === undefined ? own() : parseSize(listed);
}

/** Parses `<width>x<height>`. */
export function parseSize(text: string): PixelSize {
  const [width = Number.NaN, height = Number.NaN] = text.split('x').map(Number);
  return { width, height };
}

type Call = { own: Record<string, unknown> } & Record<string, unknown>;

function write(order: VideoOrder | ImageOrder, type: 'video' | 'image', size: PixelSize): Call {
  const call: Call = {
    ...Object.fromEntries(interfaceFields[type].map((field) => [field, undefined])),
    own: structuredClone(order.plan.send.fixed ?? {}),
  };
  const values = valuesOf(order, size);
  for (const promise of promises) {
    const placement = order.plan.send[promise];
    if (placement !== undefined && values[promise] !== undefined) {
      for (const [field, value] of written(placement, promise, values, order)) {
        place(call, field, value);
      }
    }
  }
  return call;
}

/** The values of an order by promise; undefined for those that it does not ask for. */
function valuesOf(
  order: VideoOrder | ImageOrder,
  { width, height }: PixelSize,
): Readonly<Record<Promised, unknown>> {
  const { prompt, parameters, references, firstFrame, lastFrame, plan } = order;
  const filesOf = (kind: 'image' | 'video' | 'audio') => {
    const files = references.filter((file) => isOfKind(file, kind));
    return files.length > 0 ? files : undefined;
  };
  return {
    prompt,
    duration: 'duration_seconds' in parameters ? parameters.duration_seconds : undefined,
    resolution: parameters.resolution,
    ratio: parameters.aspect_ratio,
    size: `${width}x${height}`,
    width,
    height,
    // Sent only if there is a choice.
    audio:
      plan.support.audio === true && 'generate_audio' in parameters
        ? parameters.generate_audio
        : undefined,
    seed: parameters.seed,
    format: 'output_format' in parameters ? parameters.output_format : undefined,
    firstFrame,
    lastFrame,
    images: filesOf('image'),
    videos: filesOf('video'),
    audios: filesOf('audio'),
  };
}

/** The fields of a placement with their values. */
function written(
  placement: Placement,
  promise: Promised,
  values: Readonly<Record<Promised, unknown>>,
  order: VideoOrder | ImageOrder,
): (readonly [string, unknown])[] {
  const value = values[promise];
  if (typeof placement === 'string') return [[placement, value]];
  return Object.entries(placement).map(([field, form]) => {
    if (isFrames(form)) return [field, Number(value) * form.fps + (form.extra ?? 0)];
    if (typeof form !== 'string') return [field, form[String(value)]];
    if (form === '{file}') return [field, Array.isArray(value) ? (value as unknown[])[0] : value];
    const { resolution } = order.parameters;
    const texts: Readonly<Record<string, unknown>> = {
      ...values,
      s: values.duration,
      K: resolution.toUpperCase(),
    };
    return [field, fillIn(form, texts)];
  });
}

/** Puts a value into a field: files of the interface as they are, in the provider's own fields as texts. */
function place(call: Call, field: string, value: unknown): void {
  if (field.startsWith('@')) {
    const name = field.slice(1);
    const before = call[name];
    call[name] = Array.isArray(before) ? [...(before as unknown[]), ...[value].flat()] : value;
    return;
  }
  const path = field.split('.');
  const last = path.pop() ?? field;
  let within = call.own;
  for (const part of path) within = (within[part] ??= {}) as Record<string, unknown>;
  within[last] = textOf(value);
}

function textOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(textOf);
  const isFile = typeof value === 'object' && value !== null && 'type' in value;
  return isFile ? fileValue(value as InputFile) : value;
}
