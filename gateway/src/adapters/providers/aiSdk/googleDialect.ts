import {
  isPlainId,
  ratio,
  standardImageCall,
  standardVideoCall,
  type Dialect,
} from '../dialect.ts';
import { googleSupport } from '../support/googleSupport.ts';

/**
 * `@ai-sdk/google` 4: Veo for videos, Gemini for images. Pictures as bytes only; the resolution by
 * name (the package knows landscape sizes only); sound cannot be left out. A filtered video is "done"
 * without a sample.
 */
export const googleDialect: Dialect = {
  name: 'google',
  apiHosts: ['generativelanguage.googleapis.com'],
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
  table: googleSupport,
  // An operation is named with its model; people copy the whole name or its end.
  operationOf: (name, model) => {
    const id = /^(?:models\/[\w.-]+\/operations\/)?([^/]+)$/.exec(name)?.[1] ?? '';
    if (!isPlainId(id)) return null;
    return { operationName: id === name ? `models/${model}/operations/${id}` : name };
  },
  videoCall: (order) => ({
    ...standardVideoCall(order),
    resolution: undefined,
    generateAudio: undefined,
    own: {
      resolution: order.parameters.resolution === '2160p' ? '4k' : order.parameters.resolution,
      // Off until the operator's options for real-person mode say otherwise. From Veo 3 on, Google
      // refuses any request that would turn people off (Gemini API, Veo API parameters).
      ...(order.model.startsWith('veo-2') ? { personGeneration: 'dont_allow' } : {}),
    },
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

/** Gemini 2.5 makes one size only, so it is sent none. */
function isFirstImageModel(model: string): boolean {
  return model.startsWith('gemini-2.5');
}
