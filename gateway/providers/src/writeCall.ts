import type {
  Experimental_VideoModelV4CallOptions as VideoCallOptions,
  ImageModelV4CallOptions as ImageCallOptions,
} from '@ai-sdk/provider';
import { allExtras } from '@framegate/contract';
import { sizeOf } from './deliveredSizes.ts';
import { fileValue, type InputFile, kindOf, type PreparedInput } from './inputFiles.ts';
import type { ProviderRequest } from './route.ts';
import type { RoutePlan } from './routePlan.ts';
import type { ExtraLimit } from './routeSupport.ts';
import {
  fillForm,
  interfaceFields,
  isFrames,
  type JsonObject,
  type Placement,
  type PromisedField,
  promises,
} from './sendRules.ts';

/** The parts of a request that its call conveys; the prompt only for models with a field for it in `send`. */
export type Order = Pick<ProviderRequest, 'type' | 'prompt' | 'parameters'>;

type InterfaceFields = typeof interfaceFields;

/**
 * The parts of a call that carry our parameters; `own` are the provider's own options. The seed of images is that of
 * the first one; each further call gets the next one.
 */
export interface OrderCalls {
  video: { own: JsonObject } & Pick<VideoCallOptions, InterfaceFields['video'][number]>;
  image: { own: JsonObject } & Pick<ImageCallOptions, InterfaceFields['image'][number]>;
}

type DraftCall = { own: Record<string, unknown> } & Record<string, unknown>;

/** Writes an order as a call of the interface. */
export function writeCall<T extends Order['type']>(
  order: Order & { type: T },
  inputs: readonly PreparedInput[],
  plan: RoutePlan,
): OrderCalls[T] {
  const call: DraftCall = {
    ...Object.fromEntries(interfaceFields[order.type].map((field) => [field, undefined])),
    own: structuredClone(plan.send.fixed ?? {}),
  };
  const values = valuesOf(order, inputs, plan);
  for (const promise of promises) {
    const placement = plan.send[promise];
    if (placement !== undefined && values[promise] !== undefined) {
      for (const [field, value] of valuesByField(placement, promise, values)) {
        putValue(call, field, value);
      }
    }
  }
  const { firstFrame: first, lastFrame: last } = values;
  // A first frame alone is `image`; with a last frame both are `frameImages`.
  if (call['frameImages'] !== undefined && first && last) {
    call['image'] = undefined;
    call['frameImages'] = [
      { image: first, frameType: 'first_frame' },
      { image: last, frameType: 'last_frame' },
    ];
  }
  return call as unknown as OrderCalls[T];
}

/** The values of an order by promise; undefined if not requested. */
function valuesOf(
  { type, prompt, parameters }: Order,
  inputs: readonly PreparedInput[],
  plan: RoutePlan,
): Readonly<Record<PromisedField, unknown>> {
  const { width, height } = sizeOf(plan.row, type, parameters);
  const fileOf = (role: PreparedInput['role']) => inputs.find((each) => each.role === role)?.file;
  const filesOf = (kind: 'image' | 'video' | 'audio') => {
    const files = inputs
      .filter(({ role, file }) => role === 'reference' && kindOf(file) === kind)
      .map(({ file }) => file);
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
    firstFrame: fileOf('first_frame'),
    lastFrame: fileOf('last_frame'),
    images: filesOf('image'),
    videos: filesOf('video'),
    audios: filesOf('audio'),
    ...extrasIn(parameters),
  };
}

/** The values of the requested fractions and texts, by promise. */
function extrasIn(parameters: object): Record<ExtraLimit, unknown> {
  const fields = parameters as Readonly<Record<string, unknown>>;
  const values = allExtras.map(({ name, support }) => [support.name, fields[name] ?? undefined]);
  return Object.fromEntries(values) as Record<ExtraLimit, unknown>;
}

/** The fields of a placement with their values. */
function valuesByField(
  placement: Placement,
  promise: PromisedField,
  values: Readonly<Record<PromisedField, unknown>>,
): (readonly [string, unknown])[] {
  const value = values[promise];
  if (typeof placement === 'string') return [[placement, value]];
  return Object.entries(placement).map(([field, form]) => {
    if (isFrames(form)) return [field, Number(value) * form.fps + (form.extra ?? 0)];
    if (typeof form !== 'string') return [field, form[String(value)]];
    if (form === '{file}') return [field, Array.isArray(value) ? (value as unknown[])[0] : value];
    const texts: Readonly<Record<string, unknown>> = {
      ...values,
      s: values.duration,
      K: String(values.resolution).toUpperCase(),
    };
    return [field, fillForm(form, texts)];
  });
}

/** Puts a value into a field: files unchanged into the interface's fields, as text into the provider's own. */
function putValue(call: DraftCall, field: string, value: unknown): void {
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
  within[last] = withFileValues(value);
}

function withFileValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withFileValues);
  const isFile = typeof value === 'object' && value !== null && 'type' in value;
  return isFile ? fileValue(value as InputFile) : value;
}
