import type { ImageModelV4 } from '@ai-sdk/provider';
import { type FramegateSettings, openApi } from './api.ts';
import { createImageModel } from './imageModel.ts';
import { createVideoModel, type FramegateVideoModel } from './videoModel.ts';

export type { FramegateSettings } from './api.ts';
export type { FramegateVideoModel } from './videoModel.ts';

/** The models of one gateway. */
export interface FramegateProvider {
  /** A video model of GET /models, such as `alpha-2.0-pro`. */
  video(modelId: string): FramegateVideoModel;
  /** An image model of GET /models, such as `image-a-2`. */
  image(modelId: string): ImageModelV4;
  /** Like `video`. */
  videoModel(modelId: string): FramegateVideoModel;
  /** Like `image`. */
  imageModel(modelId: string): ImageModelV4;
}

/** Opens a provider. Missing settings come from `FRAMEGATE_KEY` and `FRAMEGATE_URL` at the first request. */
export function createFramegate(settings: FramegateSettings = {}): FramegateProvider {
  const api = openApi(settings);
  const video = (modelId: string) => createVideoModel(modelId, api);
  const image = (modelId: string) => createImageModel(modelId, api);
  return { video, image, videoModel: video, imageModel: image };
}

/** The provider configured by the environment's `FRAMEGATE_URL` and `FRAMEGATE_KEY`. */
export const framegate: FramegateProvider = createFramegate();
