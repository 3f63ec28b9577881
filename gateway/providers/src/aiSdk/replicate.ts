import {
  isPlainId,
  ratio,
  standardImageCall,
  textIn,
  type Dialect,
  type VideoOrder,
} from '../dialect.ts';
import { fileValue, fileValues } from '../inputFiles.ts';
import type { SupportTable } from '../routeSupport.ts';
import { seedance1Sizes, seedanceSizes } from '../seedanceSizes.ts';
import type { JsonObject } from '../configuredRoutes.ts';

const aiSdk = 'https://ai-sdk.dev/providers/ai-sdk-providers/replicate';
const flux2 =
  'https://replicate.com/black-forest-labs/flux-2-pro/versions/00b07c32e314ceb5152c1d08e73400e6a61d7d22ba60a405fc76314fc807910c/api';
/** For the models themselves, which are ByteDance's. */
const versions = 'https://developer.civitai.com/orchestration/recipes/seedance';
const seedance1 = 'https://ai-sdk.dev/providers/ai-sdk-providers/bytedance';
const readOn = '2026-11-22';
const seedance2 =
  'https://replicate.com/bytedance/seedance-2.0/versions/affbecc3d8793cbc66b5f7edcbc83c0af931593b30a03b4e77c8d5f7dadbd008/api';

/** Models at Replicate whose input names the dialect knows. */
export const replicateSupport: SupportTable = [
  {
    type: 'video',
    models: ['*seedance-2*-fast*', '*seedance-2*-mini*'],
    does: {
      seconds: { min: 4, max: 15 },
      resolutions: ['480p', '720p'],
      audio: true,
      lastFrame: true,
      references: { image: 9, video: 3, audio: 3 },
    },
    source: versions,
    readOn,
    sizes: seedanceSizes,
  },
  {
    type: 'video',
    models: ['*seedance-2.5*'],
    does: {
      seconds: { min: 4, max: 30 },
      resolutions: ['480p', '720p'],
      audio: true,
      lastFrame: true,
      references: { image: 9, video: 3, audio: 3 },
    },
    source: versions,
    readOn,
    sizes: seedanceSizes,
  },
  {
    type: 'video',
    models: ['*seedance-2*'],
    does: {
      seconds: { min: 4, max: 15 },
      resolutions: ['480p', '720p', '1080p'],
      audio: true,
      lastFrame: true,
      references: { image: 9, video: 3, audio: 3 },
    },
    source: seedance2,
    readOn,
    sizes: seedanceSizes,
  },
  {
    type: 'video',
    models: ['*seedance-1.5*'],
    does: {
      modes: ['text-to-video', 'image-to-video'],
      seconds: { min: 4, max: 12 },
      resolutions: ['480p', '720p', '1080p'],
      audio: true,
      lastFrame: true,
    },
    source: seedance1,
    readOn,
    sizes: seedanceSizes,
    // "Video aspect ratio. Ignored if an image is used." (the models' own pages at Replicate)
    keepsPictureRatio: true,
  },
  {
    type: 'video',
    models: ['*seedance-1-*'],
    does: {
      modes: ['text-to-video', 'image-to-video'],
      seconds: { min: 2, max: 12 },
      resolutions: ['480p', '720p', '1080p'],
    },
    source: seedance1,
    readOn,
    sizes: seedance1Sizes,
    keepsPictureRatio: true,
  },
  {
    type: 'image',
    models: ['*seedream*', '*nano-banana*'],
    does: { references: { image: 9 } },
    source: aiSdk,
    readOn,
  },
  {
    type: 'image',
    models: ['*flux-2-*'],
    does: { references: { image: 8 }, resolutions: ['1k'] },
    source: flux2,
    readOn,
  },
  {
    type: 'image',
    models: ['*'],
    does: { resolutions: ['1k'] },
    source: aiSdk,
    readOn,
  },
];

/**
 * `@ai-sdk/replicate` 3. For videos the package silently drops last frame, references and sound and calls the
 * resolution `size`, so these are sent as the provider's own options, under the names that its video models
 * share.
 */
export const replicateDialect: Dialect = {
  name: 'replicate',
  apiHosts: ['api.replicate.com'],
  defaultRules: [{ match: /\(E005\)|flagged as sensitive/i, code: 'content' }],
  operationOf: (id) =>
    isPlainId(id) ? { getUrl: `https://api.replicate.com/v1/predictions/${id}` } : null,
  // For queued and running jobs (Replicate: HTTP API, predictions.cancel).
  cancelRequest(operation, { apiKey }) {
    const url = textIn(operation, 'getUrl');
    return url === null
      ? null
      : { method: 'POST', url: `${url}/cancel`, authorization: `Bearer ${apiKey}` };
  },
  table: replicateSupport,
  videoCall: (order) => ({
    aspectRatio: ratio(order.parameters.aspect_ratio),
    resolution: undefined,
    duration: order.parameters.duration_seconds,
    seed: order.parameters.seed,
    image: order.firstFrame,
    frameImages: undefined,
    inputReferences: undefined,
    generateAudio: undefined,
    own: ownVideoOptions(order),
  }),
  imageCall: (order) => {
    const { model, parameters, references } = order;
    const many = takesManyImages(model);
    const resolution = parameters.resolution.toUpperCase();
    return {
      ...standardImageCall(order),
      size: undefined,
      aspectRatio: ratio(parameters.aspect_ratio),
      files: many || references.length === 0 ? undefined : [...references],
      own: {
        ...(many ? { [/seedream/.test(model) ? 'size' : 'resolution']: resolution } : {}),
        ...(many && references.length > 0 ? { image_input: references.map(fileValue) } : {}),
      },
    };
  },
  // A failed prediction has been created: its answer is a 201.
  queuesImages: true,
  // The package's number is that of the input images that a model takes.
  imagesPerCall: 1,
  parseEnd: (answer) => {
    if (typeof answer !== 'object' || answer === null || !('status' in answer)) return null;
    if (answer.status === 'aborted') return { error: 'aborted' };
    const output: readonly unknown[] =
      'output' in answer && Array.isArray(answer.output) ? answer.output : [];
    if (answer.status !== 'succeeded' || output.length === 0) return null;
    return { urls: output.filter((each) => typeof each === 'string') };
  },
};

function ownVideoOptions({ support, parameters, ...order }: VideoOrder): JsonObject {
  const images = fileValues(order.references, 'image');
  const videos = fileValues(order.references, 'video');
  const audios = fileValues(order.references, 'audio');
  return {
    resolution: parameters.resolution,
    ...(support.audio === true ? { generate_audio: parameters.generate_audio } : {}),
    ...(order.lastFrame ? { last_frame_image: fileValue(order.lastFrame) } : {}),
    ...(images.length > 0 ? { reference_images: images } : {}),
    ...(videos.length > 0 ? { reference_videos: videos } : {}),
    ...(audios.length > 0 ? { reference_audios: audios } : {}),
  };
}

/** Whether an image model takes a list of pictures and a size by name. */
function takesManyImages(model: string): boolean {
  return /seedream|nano-banana/.test(model);
}
