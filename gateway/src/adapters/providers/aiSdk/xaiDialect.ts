import {
  isPlainId,
  ratio,
  standardImageCall,
  standardVideoCall,
  type Dialect,
} from '../dialect.ts';
import { xaiSupport } from '../support/xaiSupport.ts';

/** `@ai-sdk/xai` 5: no seed; the resolution by name; a last frame with one model only. */
export const xaiDialect: Dialect = {
  name: 'xai',
  apiHosts: ['api.x.ai'],
  // "Generated image rejected by content moderation." answers the request itself.
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
