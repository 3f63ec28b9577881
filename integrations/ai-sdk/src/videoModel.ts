import type {
  Experimental_VideoModelV4 as VideoModel,
  Experimental_VideoModelV4CallOptions as VideoOptions,
  SharedV4Warning,
} from '@ai-sdk/provider';
import type { Api, ApiResponse } from './api.ts';
import { videoBody } from './order.ts';
import { metadataOf } from './response.ts';

/** Makes videos in two steps of one request each. `operation` is the generation's id. */
export type FramegateVideoModel = VideoModel & Required<Pick<VideoModel, 'doStart' | 'doStatus'>>;

/** A video model from GET /models. */
export function createVideoModel(modelId: string, api: Api): FramegateVideoModel {
  const about = ({ generation, headers }: ApiResponse) => ({
    providerMetadata: { framegate: metadataOf(generation) },
    response: { timestamp: new Date(), modelId, headers },
  });
  return {
    specificationVersion: 'v4',
    provider: 'framegate.video',
    modelId,
    maxVideosPerCall: 1,
    async doStart(options) {
      const response = await api.create('videos', videoBody(modelId, options), options);
      const { id: operation } = response.generation;
      return { operation, warnings: warningsOf(options), ...about(response) };
    },
    async doStatus({ operation, ...options }) {
      if (typeof operation !== 'string') throw new TypeError('operation is the id of a generation');
      const response = await api.read(operation, options);
      const { id, status, output, error } = response.generation;
      if (status === 'failed') {
        const text = `${error?.message ?? 'It has failed.'} (${error?.code ?? 'unknown'}, ${id})`;
        return { status: 'error', error: text, ...about(response) };
      }
      if (status !== 'completed') return { status: 'pending', ...about(response) };
      const urls = output?.urls ?? [];
      const videos = urls.map((url) => ({ type: 'url' as const, url, mediaType: 'video/mp4' }));
      return { status, videos, warnings: [], ...about(response) };
    },
  };
}

function warningsOf({ fps, n, aspectRatio }: VideoOptions): SharedV4Warning[] {
  const unsupported = [
    { feature: 'fps', isGiven: fps !== undefined },
    { feature: 'n', isGiven: n > 1 },
    { feature: 'aspectRatio', isGiven: aspectRatio === 'adaptive' },
  ];
  return unsupported
    .filter(({ isGiven }) => isGiven)
    .map(({ feature }) => ({ type: 'unsupported', feature }));
}
