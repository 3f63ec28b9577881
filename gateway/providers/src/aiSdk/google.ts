import {
  isPlainId,
  ratio,
  standardImageCall,
  standardVideoCall,
  type Dialect,
} from '../dialect.ts';
import type { SupportsJson, SupportTable } from '../routeSupport.ts';

const veo = 'https://ai.google.dev/gemini-api/docs/veo';
const images = 'https://ai-sdk.dev/providers/ai-sdk-providers/google';
/** A reseller's notice of the end of Veo 3.1, with Google's date. */
const end31 = 'https://docs.apiyi.com/en/live/2026-10/veo-3-1-preview-retired.md';
const deprecations = 'https://ai.google.dev/gemini-api/docs/deprecations';
const readOn = '2026-11-22';

const aspectRatios = ['16:9', '9:16'];
const seconds = [4, 6, 8];
const textAndImage = ['text-to-video', 'image-to-video'];

/** Support of Veo 3.1 wherever it runs. */
export const veo31: SupportsJson = {
  seconds,
  resolutions: ['720p', '1080p', '2160p'],
  aspectRatios,
  audio: 'always',
  lastFrame: true,
  references: { image: 3 },
  combinations: [
    {
      when: { modes: ['multimodal-to-video'] },
      only: { seconds: [8], aspectRatios: ['16:9'] },
    },
    { when: { resolutions: ['1080p', '2160p'] }, only: { seconds: [8] } },
  ],
};

/**
 * The Gemini API. Its known Veo models have been shut down, and the package's video interface cannot reach
 * Google's replacements.
 */
export const googleSupport: SupportTable = [
  {
    type: 'video',
    models: ['veo-2.0-*'],
    does: { modes: textAndImage, seconds: [5, 6, 8], resolutions: ['720p'], aspectRatios },
    source: deprecations,
    readOn,
    retired: { on: '2026-06-30', replacement: null },
  },
  {
    type: 'video',
    models: ['veo-3.0-*'],
    does: {
      modes: textAndImage,
      seconds,
      resolutions: ['720p', '1080p'],
      aspectRatios,
      audio: 'always',
      combinations: [{ when: { resolutions: ['1080p'] }, only: { seconds: [8] } }],
    },
    source: deprecations,
    readOn,
    retired: { on: '2026-06-30', replacement: null },
  },
  {
    type: 'video',
    models: ['veo-3.1-lite-*'],
    does: {
      modes: textAndImage,
      seconds,
      resolutions: ['720p', '1080p'],
      aspectRatios,
      audio: 'always',
      lastFrame: true,
      combinations: [{ when: { resolutions: ['1080p'] }, only: { seconds: [8] } }],
    },
    source: veo,
    readOn,
    retired: { on: '2026-10-22', replacement: null },
  },
  {
    type: 'video',
    models: ['veo-3.1-*preview'],
    does: veo31,
    source: end31,
    readOn,
    retired: { on: '2026-10-22', replacement: null },
  },
  {
    type: 'video',
    models: ['*'],
    does: veo31,
    source: veo,
    readOn,
  },
  {
    type: 'image',
    models: ['gemini-3-pro-image-preview'],
    does: { references: { image: 9 } },
    source: deprecations,
    readOn,
    retired: { on: '2026-06-25', replacement: 'gemini-3-pro-image' },
  },
  {
    type: 'image',
    models: ['gemini-3.1-flash-image-preview'],
    does: { references: { image: 9 } },
    source: deprecations,
    readOn,
    retired: { on: '2026-06-25', replacement: 'gemini-3.1-flash-image' },
  },
  {
    type: 'image',
    models: ['gemini-2.5*'],
    does: { references: { image: 3 }, resolutions: ['1k'] },
    source: images,
    readOn,
  },
  {
    type: 'image',
    models: ['*'],
    does: { references: { image: 9 } },
    source: images,
    readOn,
  },
];

/**
 * `@ai-sdk/google` 4: Veo for videos, Gemini for images. Pictures only as bytes; the resolution by name (the
 * package knows only landscape sizes); sound cannot be omitted. A filtered video is "done" without a sample.
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
  // An operation's name includes its model; people copy the whole name or its end.
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
      // Off unless the operator's options for real-person mode say otherwise. From Veo 3 on, Google
      // refuses any request that turns people off (Gemini API, Veo API parameters).
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

/** Gemini 2.5 makes only one size, so none is sent. */
function isFirstImageModel(model: string): boolean {
  return model.startsWith('gemini-2.5');
}
