import {
  capabilitiesOf,
  choicesOf,
  type CreateImageBody,
  type CreateVideoBody,
  hasFlag,
  type ImageModel,
  type ImageParameters,
  imageParameters,
  type ImageParametersBody,
  inFormOrder,
  maxLengthOf,
  type Model,
  parameterTables,
  type Problem,
  rangeOf,
  textsIn,
  usualValues,
  type VideoMode,
  type VideoModel,
  type VideoParameters,
  videoParameters,
  type VideoParametersBody,
} from '@framegate/contract';
import { invalidRequestRefusal } from '../refusal.ts';
import { complianceProblems } from './realPerson.ts';
import { type EffectiveInput, effectiveVideoInputs, videoInputProblems } from './videoInputs.ts';

/**
 * Effective parameters before the server chooses a seed. The seed is present as undefined, so that filling it in keeps
 * the order of fields.
 */
type WithoutSeed<P extends { seed: number }> = Omit<P, 'seed'> & { seed: number | undefined };

/** A video request with every default filled in. */
export interface VideoRequest {
  type: 'video';
  model: string;
  mode: VideoMode;
  prompt: string;
  /** Inputs in the order sent, so that `inputs[1]` means the same everywhere. */
  inputs: EffectiveInput[];
  parameters: WithoutSeed<VideoParameters>;
}

/** An image request with every default filled in. */
export interface ImageRequest {
  type: 'image';
  model: string;
  prompt: string;
  inputs: EffectiveInput[];
  parameters: WithoutSeed<ImageParameters>;
}

/**
 * The effective request of a schema-valid body for a video model. Input URLs and then `requireRealPersonAllowed` are
 * checked later, with their own codes.
 * @throws Refusal `invalid_request` with every problem in its details.
 */
export function resolveVideoRequest(model: VideoModel, body: CreateVideoBody): VideoRequest {
  refuseIfAny([
    ...modeProblems(model, body),
    ...promptProblems(model, body.prompt),
    ...videoInputProblems(model, body),
    ...parameterProblems(model, body.parameters),
    ...complianceProblems(body),
  ]);
  return {
    type: 'video',
    model: model.id,
    mode: body.mode,
    prompt: body.prompt.trim(),
    inputs: effectiveVideoInputs(body),
    parameters: effectiveVideoParameters(model, body.parameters),
  };
}

/**
 * The effective request of a schema-valid body for an image model.
 * @throws Refusal `invalid_request` with every problem in its details.
 */
export function resolveImageRequest(model: ImageModel, body: CreateImageBody): ImageRequest {
  const { inputs = [], parameters = {} } = body;
  refuseIfAny([
    ...promptProblems(model, body.prompt),
    ...imageInputProblems(model, inputs.length),
    ...parameterProblems(model, parameters),
  ]);
  return {
    type: 'image',
    model: model.id,
    prompt: body.prompt.trim(),
    inputs: inputs.map(({ type, url }) => ({ type, url, role: 'reference' })),
    parameters: effectiveImageParameters(model, parameters),
  };
}

/**
 * The effective parameters of a schema-valid body, for a price estimate.
 * @throws Refusal `invalid_request` with every problem in its details.
 */
export function resolveParameters(
  model: Model,
  parameters: VideoParametersBody | ImageParametersBody = {},
): VideoRequest['parameters'] | ImageRequest['parameters'] {
  refuseIfAny(parameterProblems(model, parameters));
  return model.type === 'video'
    ? effectiveVideoParameters(model, parameters as VideoParametersBody)
    : effectiveImageParameters(model, parameters as ImageParametersBody);
}

/**
 * The problems of a body's shape, with the model's own ranges replacing those for all models.
 * @param model Undefined if the body names no usable model: the problems stay unchanged.
 */
export function withRangeOf(model: Model | undefined, problems: readonly Problem[]): Problem[] {
  if (model === undefined) return [...problems];
  // NaN is outside every range.
  const names = Object.entries(parameterTables[model.type]).filter(
    ([, { kind }]) => kind === 'integer' || kind === 'fraction',
  );
  const own = parameterProblems(model, Object.fromEntries(names.map(([name]) => [name, NaN])));
  return problems.map(
    (problem) =>
      own.find(({ param, code }) => param === problem.param && code === problem.code) ?? problem,
  );
}

function effectiveVideoParameters(
  model: VideoModel,
  parameters: VideoParametersBody = {},
): VideoRequest['parameters'] {
  return {
    ...usualValues(videoParameters),
    duration_seconds: model.duration.default,
    resolution: model.defaults.resolution,
    aspect_ratio: model.defaults.aspectRatio,
    generate_audio: model.defaults.generateAudio,
    ...trimTexts(parameters),
  } as VideoRequest['parameters'];
}

function effectiveImageParameters(
  model: ImageModel,
  parameters: ImageParametersBody,
): ImageRequest['parameters'] {
  return {
    ...usualValues(imageParameters),
    n: model.defaults.n,
    aspect_ratio: model.defaults.aspectRatio,
    resolution: model.defaults.resolution,
    output_format: model.defaults.outputFormat,
    ...trimTexts(parameters),
  } as ImageRequest['parameters'];
}

/** The parameters with texts like the prompt: without white space around them. */
const trimTexts = (parameters: object): object => ({
  ...parameters,
  ...Object.fromEntries(textsIn(parameters).map(([name, text]) => [name, text.trim()])),
});

function refuseIfAny(problems: readonly Problem[]): void {
  if (problems.length > 0) throw invalidRequestRefusal(problems);
}

function modeProblems(model: VideoModel, body: CreateVideoBody): Problem[] {
  return offerProblems(model, 'mode', body.mode, model.modes);
}

function promptProblems(model: Model, prompt: string): Problem[] {
  return lengthProblems(model, 'prompt', prompt, model.maxPromptLength);
}

function lengthProblems(model: Model, param: string, text: string, maxLength: number): Problem[] {
  const length = Array.from(text.trim()).length;
  if (length <= maxLength) return [];
  const what = param === 'prompt' ? 'prompts' : param.slice(param.lastIndexOf('.') + 1);
  const message = `${model.id} takes ${what} of up to ${maxLength.toLocaleString('en-US')} characters; you sent ${length.toLocaleString('en-US')}.`;
  return [{ param, code: 'too_long', message }];
}

/** Problems of the parameters whose range or choices depend on the model; real-person mode has its own rules. */
function parameterProblems(model: Model, parameters: object = {}): Problem[] {
  const offered = capabilitiesOf(model);
  return inFormOrder(parameterTables[model.type]).flatMap(([name, row]): Problem[] => {
    const value = (parameters as Record<string, unknown>)[name];
    if (value === undefined || row.capability === null || row.apart) return [];
    const param = `parameters.${name}`;
    switch (row.kind) {
      case 'integer':
        return rangeProblems(model, param, value as number, rangeOf(row, offered), row.unit);
      case 'fraction': {
        const range = rangeOf(row, offered);
        return range
          ? rangeProblems(model, param, value as number, range, row.unit)
          : notTaken(model, name);
      }
      case 'text': {
        const maxLength = maxLengthOf(row, offered);
        return maxLength === null
          ? notTaken(model, name)
          : lengthProblems(model, param, value as string, maxLength);
      }
      case 'choice':
        return offerProblems(model, param, value as string, choicesOf(row, offered));
      case 'flag': {
        if (value !== true || hasFlag(row, offered)) return [];
        const message = `${model.id} ${row.without ?? ''}. Omit ${name}, or send false.`;
        return [{ param, code: 'not_supported', message }];
      }
    }
  });
}

function notTaken({ id }: Model, name: string): Problem[] {
  const message = `${id} does not support ${name}. Omit it.`;
  return [{ param: `parameters.${name}`, code: 'not_supported', message }];
}

function imageInputProblems(model: ImageModel, count: number): Problem[] {
  const { maxCount } = model.inputs.image;
  if (count <= maxCount) return [];
  const message = `${model.id} takes at most ${maxCount} inputs; you sent ${count}.`;
  return [{ param: 'inputs', code: 'too_many', message }];
}

function offerProblems(
  model: Model,
  param: string,
  value: string,
  offered: readonly string[],
): Problem[] {
  if (offered.includes(value)) return [];
  const message = `${model.id} offers ${offered.join(', ')}.`;
  return [{ param, code: 'not_supported', message }];
}

function rangeProblems(
  model: Model,
  param: string,
  value: number,
  range: Readonly<{ min: number; max: number }> | null,
  unit: string | null,
): Problem[] {
  if (range === null || (value >= range.min && value <= range.max)) return [];
  const unitText = unit === null ? '' : ` ${unit}`;
  const message = `${model.id} takes ${range.min} to ${range.max}${unitText}.`;
  return [{ param, code: 'out_of_range', message }];
}
