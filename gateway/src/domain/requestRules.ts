import type {
  CreateImageBody,
  CreateVideoBody,
  ImageModel,
  ImageParameters,
  ImageParametersBody,
  Model,
  Problem,
  VideoMode,
  VideoModel,
  VideoParameters,
  VideoParametersBody,
} from '@framegate/contract';
import { complianceProblems } from './realPerson.ts';
import { invalidRequest } from './refusal.ts';
import { effectiveVideoInputs, videoInputProblems, type EffectiveInput } from './videoInputs.ts';

/**
 * Effective parameters before the server has chosen a seed. The seed is present as undefined, so that filling
 * it in keeps the order of fields.
 */
type Seedless<P extends { seed: number }> = Omit<P, 'seed'> & { seed: number | undefined };

/** A video request with every default filled in. */
export interface VideoRequest {
  type: 'video';
  model: string;
  mode: VideoMode;
  prompt: string;
  /** In the order sent, so that `inputs[1]` means the same everywhere. */
  inputs: EffectiveInput[];
  parameters: Seedless<VideoParameters>;
}

/** An image request with every default filled in. */
export interface ImageRequest {
  type: 'image';
  model: string;
  prompt: string;
  inputs: EffectiveInput[];
  parameters: Seedless<ImageParameters>;
}

/**
 * The effective request of a schema-valid body for a video model. Input URLs and then
 * `requireRealPersonAllowed` are checked later, with their own codes.
 * @throws Refusal `invalid_request` with every problem in its details.
 */
export function resolveVideoRequest(model: VideoModel, body: CreateVideoBody): VideoRequest {
  refuseIfAny([
    ...modeProblems(model, body),
    ...promptProblems(model, body.prompt),
    ...videoInputProblems(model, body),
    ...videoParameterProblems(model, body.parameters),
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
    ...imageParameterProblems(model, parameters),
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
 * The effective parameters of a schema-valid body, for an estimate of its price.
 * @throws Refusal `invalid_request` with every problem in its details.
 */
export function resolveParameters(
  model: Model,
  parameters: VideoParametersBody | ImageParametersBody = {},
): VideoRequest['parameters'] | ImageRequest['parameters'] {
  if (model.type === 'video') {
    refuseIfAny(videoParameterProblems(model, parameters as VideoParametersBody));
    return effectiveVideoParameters(model, parameters as VideoParametersBody);
  }
  refuseIfAny(imageParameterProblems(model, parameters as ImageParametersBody));
  return effectiveImageParameters(model, parameters as ImageParametersBody);
}

/**
 * The problems of a body's shape, with the model's own ranges in place of those over all models.
 * @param model Undefined if the body names no usable model: the problems stay unchanged.
 */
export function withRangeOf(model: Model | undefined, problems: readonly Problem[]): Problem[] {
  if (model === undefined) return [...problems];
  // NaN is outside every range.
  const own =
    model.type === 'video'
      ? videoParameterProblems(model, { duration_seconds: NaN })
      : imageParameterProblems(model, { n: NaN });
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
    duration_seconds: model.duration.default,
    resolution: model.defaults.resolution,
    aspect_ratio: model.defaults.aspectRatio,
    generate_audio: model.defaults.generateAudio,
    seed: undefined,
    real_person_mode: false,
    ...parameters,
  };
}

function effectiveImageParameters(
  model: ImageModel,
  parameters: ImageParametersBody,
): ImageRequest['parameters'] {
  return {
    n: model.defaults.n,
    aspect_ratio: model.defaults.aspectRatio,
    resolution: model.defaults.resolution,
    output_format: model.defaults.outputFormat,
    seed: undefined,
    ...parameters,
  };
}

function refuseIfAny(problems: readonly Problem[]): void {
  if (problems.length > 0) throw invalidRequest(problems);
}

function modeProblems(model: VideoModel, body: CreateVideoBody): Problem[] {
  return offerProblems(model, 'mode', body.mode, model.modes);
}

function promptProblems(model: Model, prompt: string): Problem[] {
  const length = Array.from(prompt.trim()).length;
  if (length <= model.maxPromptLength) return [];
  const most = model.maxPromptLength.toLocaleString('en-US');
  const message = `${model.id} takes prompts of up to ${most} characters; this one has ${length.toLocaleString('en-US')}.`;
  return [{ param: 'prompt', code: 'too_long', message }];
}

function videoParameterProblems(
  model: VideoModel,
  parameters: VideoParametersBody = {},
): Problem[] {
  const { duration_seconds, resolution, aspect_ratio, generate_audio } = parameters;
  const silent: Problem = {
    param: 'parameters.generate_audio',
    code: 'not_supported',
    message: `${model.id} makes no sound. Leave generate_audio out or send false.`,
  };
  return [
    ...rangeProblems(
      model,
      'parameters.duration_seconds',
      duration_seconds,
      model.duration,
      'seconds',
    ),
    ...offerProblems(model, 'parameters.resolution', resolution, model.resolutions),
    ...offerProblems(model, 'parameters.aspect_ratio', aspect_ratio, model.aspectRatios),
    ...(generate_audio === true && !model.generateAudio ? [silent] : []),
  ];
}

function imageParameterProblems(model: ImageModel, parameters: ImageParametersBody): Problem[] {
  const { n, resolution, aspect_ratio, output_format } = parameters;
  return [
    ...rangeProblems(model, 'parameters.n', n, model.n, 'images'),
    ...offerProblems(model, 'parameters.resolution', resolution, model.resolutions),
    ...offerProblems(model, 'parameters.aspect_ratio', aspect_ratio, model.aspectRatios),
    ...offerProblems(model, 'parameters.output_format', output_format, model.outputFormats),
  ];
}

function imageInputProblems(model: ImageModel, count: number): Problem[] {
  const { maxCount } = model.inputs.image;
  if (count <= maxCount) return [];
  const message = `${model.id} takes at most ${maxCount} inputs; these are ${count}.`;
  return [{ param: 'inputs', code: 'too_many', message }];
}

function offerProblems(
  model: Model,
  param: string,
  value: string | undefined,
  offered: readonly string[],
): Problem[] {
  if (value === undefined || offered.includes(value)) return [];
  const message = `${model.id} offers ${offered.join(', ')}.`;
  return [{ param, code: 'not_supported', message }];
}

function rangeProblems(
  model: Model,
  param: string,
  value: number | undefined,
  { min, max }: Readonly<{ min: number; max: number }>,
  unit: string,
): Problem[] {
  if (value === undefined || (value >= min && value <= max)) return [];
  const message = `${model.id} takes ${min} to ${max} ${unit}.`;
  return [{ param, code: 'out_of_range', message }];
}
