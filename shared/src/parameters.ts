import {
  imageAspectRatios,
  imageFormats,
  imageResolutions,
  seedRange,
  videoAspectRatios,
  videoResolutions,
} from './choices.ts';
import type { Capabilities } from './generated/wire.ts';
import type { Parameter, ParameterTable } from './parameterRows.ts';

/*
 * The one table of request parameters. docs/changing.md lists everything derived from it and explains how to add a row.
 */

const seed = {
  kind: 'integer',
  range: seedRange,
  capability: null,
  default: null,
  unit: null,
  label: 'Seed',
  help: 'Chosen by the server if omitted; always returned.',
  hint: 'Whole number that makes a result repeatable. If omitted, a new one is chosen.',
  option: { name: 'seed', argument: 'number' },
  // Some providers have no seed, so it is best effort.
  support: null,
  since: null,
} as const satisfies Parameter;

const negativePrompt = {
  kind: 'text',
  maxLength: 2500,
  hasLines: true,
  capability: 'negative_prompt',
  default: null,
  unit: null,
  label: 'Negative Prompt',
  help: 'Description of content to avoid, private like the prompt. Only for models with negative_prompt in GET /models.',
  hint: 'Content to keep out of the result. Not every model supports it.',
  option: { name: 'negative-prompt', argument: 'text' },
  support: { name: 'negativePrompt', undeclared: false },
  since: null,
} as const satisfies Parameter;

const guidance = {
  kind: 'fraction',
  range: { min: 0, max: 100, step: 0.1 },
  capability: 'guidance',
  default: null,
  unit: null,
  label: 'Guidance',
  help: "How closely the result follows the prompt, in steps of 0.1; the model's own default if omitted. Only for models with guidance in GET /models.",
  hint: 'How closely the result follows the prompt; higher is closer. Not every model supports it.',
  option: { name: 'guidance', argument: 'number' },
  support: { name: 'guidance', undeclared: [] },
  since: null,
} as const satisfies Parameter;

const resolution = {
  kind: 'choice',
  capability: 'resolutions',
  unit: null,
  label: 'Resolution',
  hint: 'Size of the result. Larger sizes cost more credits.',
  option: { name: 'resolution', argument: 'size', hint: 'such as 720p or 2k' },
  support: { name: 'resolutions', undeclared: null },
  since: null,
} as const;

const aspectRatio = {
  kind: 'choice',
  capability: 'aspect_ratios',
  unit: null,
  label: 'Aspect Ratio',
  hint: "Ratio of the result's width to its height.",
  option: { name: 'aspect-ratio', argument: 'ratio', hint: 'such as 16:9' },
  support: { name: 'aspectRatios', undeclared: null },
  since: null,
} as const;

/**
 * Parameters of POST /videos, in the order of the API's documents. All but texts are echoed in `parameters` of the
 * record, in this order, with the effective values.
 */
export const videoParameters = {
  duration_seconds: {
    kind: 'integer',
    range: { min: 1, max: 30 },
    capability: 'duration_seconds',
    default: 5,
    unit: 'seconds',
    label: 'Duration in Seconds',
    short: 'Seconds',
    help: "Length of the video in seconds; GET /models lists each model's limits.",
    hint: 'Length of the video in whole seconds. The model list shows the lengths of each model.',
    option: { name: 'duration', argument: 'seconds' },
    support: { name: 'seconds', undeclared: null },
    since: null,
  },
  resolution: {
    ...resolution,
    values: videoResolutions,
    default: '720p',
    help: 'Default 720p. Each model offers some of these.',
  },
  aspect_ratio: {
    ...aspectRatio,
    values: videoAspectRatios,
    default: '16:9',
    help: 'Default 16:9.',
  },
  generate_audio: {
    kind: 'flag',
    capability: 'generate_audio',
    default: false,
    without: 'makes no sound',
    unit: null,
    label: 'Generate Audio',
    short: 'Sound',
    help: 'Default false. Sound costs more, by the factor under pricing.audio in GET /models.',
    hint: 'Whether to generate sound for the video, which costs more credits',
    option: { name: 'sound' },
    support: { name: 'audio', undeclared: false, mayForce: true },
    since: null,
  },
  seed,
  real_person_mode: {
    kind: 'flag',
    capability: 'real_person_modes',
    default: false,
    without: null,
    unit: null,
    label: 'Real-Person Mode',
    help: 'Default false. For inputs that show a real person; requires compliance, and a model and mode listed under real_person_modes.',
    hint: "Whether an input shows a real person's likeness. Not needed for fictional people. Not every model supports it.",
    option: null,
    // Sent through the operator's own options of a route.
    support: { name: 'realPerson', undeclared: true },
    since: null,
    apart: true,
  },
  negative_prompt: negativePrompt,
  guidance,
} as const satisfies ParameterTable;

/** Parameters of POST /images; same order and echo as for videos. */
export const imageParameters = {
  n: {
    kind: 'integer',
    range: { min: 1, max: 4 },
    capability: 'n',
    default: 1,
    unit: 'images',
    label: 'Number of Images',
    short: 'Images',
    help: 'Number of images. Default 1.',
    hint: 'How many images to create from the prompt; each is charged',
    option: { name: 'number', letter: 'n', argument: 'count' },
    // A provider that makes fewer per call is called several times.
    support: null,
    since: null,
  },
  aspect_ratio: {
    ...aspectRatio,
    values: imageAspectRatios,
    default: '1:1',
    help: 'Default 1:1.',
  },
  resolution: {
    ...resolution,
    values: imageResolutions,
    default: '1k',
    help: 'Default 1k. Each model offers some of these.',
  },
  output_format: {
    kind: 'choice',
    values: imageFormats,
    capability: 'output_formats',
    default: 'png',
    unit: null,
    label: 'File Format',
    short: 'Format',
    help: 'Default png.',
    hint: 'File type of the images.',
    option: { name: 'format', argument: 'png|jpeg|webp' },
    // Images are converted when stored.
    support: null,
    since: null,
  },
  seed,
  negative_prompt: negativePrompt,
  guidance,
} as const satisfies ParameterTable;

/** The parameters of each type. */
export const parameterTables: Readonly<Record<'video' | 'image', ParameterTable>> = {
  video: videoParameters,
  image: imageParameters,
};

type AnyRow =
  | (typeof videoParameters)[keyof typeof videoParameters]
  | (typeof imageParameters)[keyof typeof imageParameters];

/** The fractions and texts. */
export type ExtraRow = Extract<AnyRow, { kind: 'fraction' | 'text' }>;

/** Bounds of the fractions and texts that a model takes, by their field in its capabilities. */
export type Extras = Readonly<Partial<Pick<Capabilities, ExtraRow['capability']>>>;
