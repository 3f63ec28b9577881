import { imageAspectRatios, imageFormats, videoAspectRatios, videoModes } from './choices.ts';
import type { ImageModel, InputLimits, Model, VideoModel } from './model.ts';

/** Inputs of a model by number of files; limits per file are the same for all models. */
function inputs(image: number, video: number, audio: number): InputLimits {
  return {
    image: { maxCount: image, maxBytes: 20_000_000, maxPixels: 40_000_000 },
    video: { maxCount: video, maxBytes: 50_000_000, maxSeconds: 15 },
    audio: { maxCount: audio, maxBytes: 15_000_000, maxSeconds: 15 },
  };
}

/** Image-to-video without references: a first and a last frame only. */
const framesOnly = inputs(2, 0, 0);
const framesOnlyModes = ['text-to-video', 'image-to-video'] as const;

const everyVideoModel = {
  type: 'video',
  aspectRatios: videoAspectRatios,
  realPersonModes: [],
  audioFactor: { numerator: 5, denominator: 4 },
  defaults: { resolution: '720p', aspectRatio: '16:9', generateAudio: false },
  maxSeconds: 3600,
  deprecatedAt: null,
  sunsetAt: null,
} as const;

const alpha20 = {
  ...everyVideoModel,
  modes: videoModes,
  realPersonModes: ['image-to-video', 'multimodal-to-video'],
  maxPromptLength: 3500,
} as const;

const everyImageModel = {
  type: 'image',
  aspectRatios: imageAspectRatios,
  outputFormats: imageFormats,
  n: { min: 1, max: 4 },
  defaults: { n: 1, resolution: '1k', aspectRatio: '1:1', outputFormat: 'png' },
  maxSeconds: 600,
  deprecatedAt: null,
  sunsetAt: null,
} as const;

const videoModels: readonly VideoModel[] = [
  {
    ...everyVideoModel,
    id: 'alpha-2.5',
    displayName: 'Alpha 2.5',
    modes: videoModes,
    duration: { min: 4, max: 15, default: 5 },
    resolutions: ['480p', '720p', '1080p'],
    generateAudio: true,
    maxPromptLength: 5000,
    inputs: inputs(9, 3, 3),
    creditsPerSecond: { '480p': 8, '720p': 16, '1080p': 36 },
    typicalSeconds: 120,
  },
  {
    ...everyVideoModel,
    id: 'alpha-2.5-lite',
    displayName: 'Alpha 2.5 Lite',
    modes: framesOnlyModes,
    duration: { min: 4, max: 12, default: 5 },
    resolutions: ['480p', '720p'],
    generateAudio: true,
    maxPromptLength: 2500,
    inputs: framesOnly,
    creditsPerSecond: { '480p': 4, '720p': 8 },
    typicalSeconds: 60,
  },
  {
    ...alpha20,
    id: 'alpha-2.0-pro',
    displayName: 'Alpha 2.0 Pro',
    duration: { min: 4, max: 15, default: 5 },
    resolutions: ['480p', '720p', '1080p'],
    generateAudio: true,
    inputs: inputs(9, 3, 3),
    creditsPerSecond: { '480p': 7, '720p': 14, '1080p': 32 },
    typicalSeconds: 120,
  },
  {
    ...alpha20,
    id: 'alpha-2.0-fast',
    displayName: 'Alpha 2.0 Fast',
    duration: { min: 4, max: 15, default: 5 },
    resolutions: ['480p', '720p'],
    generateAudio: true,
    inputs: inputs(9, 3, 3),
    creditsPerSecond: { '480p': 5, '720p': 10 },
    typicalSeconds: 60,
  },
  {
    ...alpha20,
    id: 'alpha-2.0-mini',
    displayName: 'Alpha 2.0 Mini',
    duration: { min: 4, max: 10, default: 5 },
    resolutions: ['480p', '720p'],
    generateAudio: false,
    inputs: inputs(4, 1, 1),
    creditsPerSecond: { '480p': 3, '720p': 6 },
    typicalSeconds: 45,
  },
  {
    ...everyVideoModel,
    id: 'beta-3.0',
    displayName: 'Beta 3.0',
    modes: framesOnlyModes,
    duration: { min: 3, max: 15, default: 5 },
    resolutions: ['720p', '1080p', '2160p'],
    generateAudio: true,
    maxPromptLength: 2500,
    inputs: framesOnly,
    creditsPerSecond: { '720p': 15, '1080p': 25, '2160p': 60 },
    typicalSeconds: 150,
  },
];

const imageModels: readonly ImageModel[] = [
  {
    ...everyImageModel,
    id: 'image-a-2',
    displayName: 'Image A 2',
    resolutions: ['1k', '2k'],
    maxPromptLength: 2500,
    inputs: inputs(4, 0, 0),
    creditsPerImage: { '1k': 8, '2k': 16 },
    typicalSeconds: 20,
  },
  {
    ...everyImageModel,
    id: 'image-b-2',
    displayName: 'Image B 2',
    resolutions: ['1k', '2k', '4k'],
    maxPromptLength: 5000,
    inputs: inputs(9, 0, 0),
    creditsPerImage: { '1k': 6, '2k': 9, '4k': 18 },
    typicalSeconds: 15,
  },
  {
    ...everyImageModel,
    id: 'image-b-pro',
    displayName: 'Image B Pro',
    resolutions: ['1k', '2k', '4k'],
    maxPromptLength: 5000,
    inputs: inputs(9, 0, 0),
    creditsPerImage: { '1k': 12, '2k': 18, '4k': 36 },
    typicalSeconds: 25,
  },
];

/**
 * The built-in models in the order of GET /models; the operator may change them (MODELS_FILE). Ids are
 * neutral: the operator's routes file determines the provider.
 */
export const catalogue: readonly Model[] = [...videoModels, ...imageModels];

/** Finds a built-in model by id. */
export function findModel(id: string): Model | undefined {
  return catalogue.find((model) => model.id === id);
}
