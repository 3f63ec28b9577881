import {
  isPlainId,
  ratio,
  standardImageCall,
  standardVideoCall,
  type Dialect,
} from '../dialect.ts';
import { leastSupport } from '../routeSupport.ts';

/** There is no 21:9. */
const aspectRatios = ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3'];

/** `@ai-sdk/xai` 5: no seed; the resolution by name; a last frame with one model only. */
export const xaiDialect: Dialect = {
  name: 'xai',
  apiHosts: ['api.x.ai'],
  // "Generated image rejected by content moderation." answers the request itself.
  defaultRules: [{ match: /^(.*\| )?generated (image|video)/i, code: 'output_rejected' }],
  operationOf: (requestId) => (isPlainId(requestId) ? { requestId } : null),
  videoSupport: (model) => ({
    ...leastSupport,
    lastFrame: model === 'grok-imagine-video-1.5',
    audio: true,
    references: { image: 7, video: 0, audio: 3 },
    // 1080p is made by one model, and not with references.
    resolutions: ['480p', '720p'],
    aspectRatios,
    seconds: { min: 1, max: 15 },
  }),
  videoCall: (order) => ({
    ...standardVideoCall(order),
    resolution: undefined,
    seed: undefined,
    own: { resolution: order.parameters.resolution },
  }),
  imageSupport: () => ({
    ...leastSupport,
    references: { image: 3, video: 0, audio: 0 },
    resolutions: ['1k', '2k'],
    aspectRatios,
  }),
  imageCall: (order) => ({
    ...standardImageCall(order),
    size: undefined,
    aspectRatio: ratio(order.parameters.aspect_ratio),
    seed: undefined,
    own: { resolution: order.parameters.resolution },
  }),
};
