import {
  isPlainId,
  ratio,
  standardImageCall,
  standardVideoCall,
  type Dialect,
} from '../dialect.ts';
import type { SupportTable } from '../routeSupport.ts';

const aiSdk = 'https://ai-sdk.dev/providers/ai-sdk-providers/xai';
const readOn = '2026-11-22';

/** 21:9 is not available. */
const aspectRatios = ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3'];
const seconds = { min: 1, max: 15 };
/** With a first frame the ratio is ignored (https://docs.comfy.org/built-in-nodes/GrokVideoNode, read 2026-11-24). */
const keepsPictureRatio = true;

/** Grok Imagine. Only partners of xAI may use audio references. */
export const xaiSupport: SupportTable = [
  {
    type: 'video',
    models: ['grok-imagine-video-1.5'],
    does: {
      seconds,
      resolutions: ['480p', '720p', '1080p'],
      aspectRatios,
      audio: true,
      lastFrame: true,
      references: { image: 7 },
      combinations: [
        { when: { modes: ['multimodal-to-video'] }, only: { resolutions: ['480p', '720p'] } },
      ],
    },
    source: aiSdk,
    readOn,
    keepsPictureRatio,
  },
  {
    type: 'video',
    models: ['*'],
    does: {
      seconds,
      resolutions: ['480p', '720p'],
      aspectRatios,
      audio: true,
      references: { image: 7 },
    },
    source: aiSdk,
    readOn,
    keepsPictureRatio,
  },
  {
    type: 'image',
    models: ['grok-imagine-image-2.0'],
    does: { resolutions: ['1k', '2k'], aspectRatios, references: { image: 5 } },
    source: 'https://docs.x.ai/release-notes.md',
    readOn,
  },
  {
    type: 'image',
    models: ['*'],
    does: { resolutions: ['1k', '2k'], aspectRatios, references: { image: 3 } },
    source: aiSdk,
    readOn,
  },
];

/** `@ai-sdk/xai` 5: no seed; the resolution by name; a last frame only with one model. */
export const xaiDialect: Dialect = {
  name: 'xai',
  apiHosts: ['api.x.ai'],
  // "Generated image rejected by content moderation." is the answer to the request itself.
  defaultRules: [{ match: /^(.*\| )?generated (image|video)/i, code: 'output_rejected' }],
  operationOf: (requestId) => (isPlainId(requestId) ? { requestId } : null),
  table: xaiSupport,
  videoCall: (order) => ({
    ...standardVideoCall(order),
    resolution: undefined,
    seed: undefined,
    own: { resolution: order.parameters.resolution },
  }),
  imageCall: (order) => ({
    ...standardImageCall(order),
    size: undefined,
    aspectRatio: ratio(order.parameters.aspect_ratio),
    seed: undefined,
    own: { resolution: order.parameters.resolution },
  }),
};
