import { standardVideoCall, type Dialect } from '../dialect.ts';
import type { SupportTable } from '../routeSupport.ts';
import { veo31, googleDialect } from './google.ts';

const veo =
  'https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/veo-video-generation';
const aiSdk = 'https://ai-sdk.dev/providers/ai-sdk-providers/google-vertex';
const readOn = '2026-11-22';

const textAndImage = ['text-to-video', 'image-to-video'];
const aspectRatios = ['16:9', '9:16'];

/** Vertex AI, which still serves models that the Gemini API has shut down. */
export const googleVertexSupport: SupportTable = [
  {
    type: 'video',
    models: ['veo-2.0-*'],
    does: { modes: textAndImage, seconds: [5, 6, 7, 8], resolutions: ['720p'], aspectRatios },
    source: veo,
    readOn,
  },
  {
    type: 'video',
    models: ['veo-3.0-*'],
    does: {
      modes: textAndImage,
      seconds: [4, 6, 8],
      resolutions: ['720p', '1080p'],
      aspectRatios,
      audio: true,
    },
    source: veo,
    readOn,
  },
  {
    type: 'video',
    models: ['*'],
    does: { ...veo31, audio: true },
    source: veo,
    readOn,
  },
  {
    type: 'image',
    models: ['gemini-2.5*'],
    does: { references: { image: 3 }, resolutions: ['1k'] },
    source: aiSdk,
    readOn,
  },
  {
    type: 'image',
    models: ['*'],
    does: { references: { image: 9 } },
    source: aiSdk,
    readOn,
  },
];

/**
 * `@ai-sdk/google-vertex` 5 with an API key: the models of `@ai-sdk/google` at Vertex AI. Here sound can be
 * omitted, and a finished video is base64 inside the answer to the poll.
 */
export const googleVertexDialect: Dialect = {
  ...googleDialect,
  name: 'googleVertex',
  apiHosts: ['aiplatform.googleapis.com'],
  maxPollBytes: 128 * 1024 * 1024,
  table: googleVertexSupport,
  // Only the whole name locates the operation.
  operationOf: (name) =>
    /^(projects\/[\w.:-]+\/locations\/[\w-]+\/)?publishers\/google\/models\/[\w.-]+\/operations\/[\w-]+$/.test(
      name,
    )
      ? { operationName: name }
      : null,
  videoCall: (order) => ({
    ...googleDialect.videoCall(order),
    generateAudio: standardVideoCall(order).generateAudio,
  }),
  refusedImages: ({ images, isRetryable }) => {
    if (images.length > 0) return null;
    // The package reveals no more about the reason.
    return isRetryable === false ? 'content filter' : 'no image';
  },
};
