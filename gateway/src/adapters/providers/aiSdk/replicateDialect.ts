import {
  isPlainId,
  ratio,
  standardImageCall,
  textIn,
  type Dialect,
  type VideoOrder,
} from '../dialect.ts';
import { fileValue, fileValues } from '../inputFiles.ts';
import type { JsonObject } from '../routesFileSchema.ts';
import { replicateSupport } from '../support/replicateSupport.ts';

/**
 * `@ai-sdk/replicate` 3. For videos the package drops the last frame, references and sound without a
 * word and calls the resolution `size`, so these go as the provider's own options, under the names
 * that its video models share.
 */
export const replicateDialect: Dialect = {
  name: 'replicate',
  apiHosts: ['api.replicate.com'],
  defaultRules: [{ match: /\(E005\)|flagged as sensitive/i, code: 'content' }],
  operationOf: (id) =>
    isPlainId(id) ? { getUrl: `https://api.replicate.com/v1/predictions/${id}` } : null,
  // Queued or running (Replicate: HTTP API, predictions.cancel).
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
  // A failed prediction is one that was made: its answer is a 201.
  queuesImages: true,
  // The package gives the number of input images that a model takes.
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

/** Image models that take a list of pictures and a size by name. */
function takesManyImages(model: string): boolean {
  return /seedream|nano-banana/.test(model);
}
