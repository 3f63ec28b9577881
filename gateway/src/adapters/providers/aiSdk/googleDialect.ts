import type { Dialect } from '../dialect.ts';
import { leastSupport } from '../routeSupport.ts';
import { ratio, standardImageCall, standardVideoCall } from '../standardDialect.ts';

/**
 * `@ai-sdk/google` 4: Veo for videos, Gemini for images. Pictures as bytes only; the resolution by
 * name (the package knows landscape sizes only); sound cannot be left out. A filtered video is "done"
 * without a sample.
 */
export const googleDialect: Dialect = {
  name: 'google',
  takesBytesOnly: true,
  defaultRules: [
    {
      match: /person ?generation|photorealistic (children|people|person)|celebrity|identifiable/i,
      code: 'real_person_rejected',
    },
    {
      match:
        /raimediafiltered|responsible ai|usage guidelines|blocked by|prohibited_content|image_safety|\bsafety\b/i,
      code: 'content',
    },
  ],
  videoSupport: () => ({
    ...leastSupport,
    modes: null,
    lastFrame: true,
    audio: 'always',
    references: { image: 3, video: 0, audio: 0 },
    resolutions: ['720p', '1080p', '2160p'],
    aspectRatios: ['16:9', '9:16'],
    seconds: [4, 6, 8],
  }),
  videoCall: (order) => ({
    ...standardVideoCall(order),
    resolution: undefined,
    generateAudio: undefined,
    own: {
      resolution: order.parameters.resolution === '2160p' ? '4k' : order.parameters.resolution,
    },
  }),
  imageSupport: (model) => ({
    ...leastSupport,
    references: { image: isFirstImageModel(model) ? 3 : 9, video: 0, audio: 0 },
    resolutions: isFirstImageModel(model) ? ['1k'] : null,
  }),
  imageCall: (order) => ({
    ...standardImageCall(order),
    size: undefined,
    aspectRatio: ratio(order.parameters.aspect_ratio),
    own: isFirstImageModel(order.model)
      ? {}
      : { imageConfig: { imageSize: order.parameters.resolution.toUpperCase() } },
  }),
  refusedImages: ({ images, providerMetadata }) =>
    images.length > 0 ? null : JSON.stringify(providerMetadata?.['google'] ?? {}),
};

/** Gemini 2.5 makes one size only and takes fewer pictures. */
function isFirstImageModel(model: string): boolean {
  return model.startsWith('gemini-2.5');
}
