import { isPlainId, type Dialect } from '../dialect.ts';
import { parseRows } from '../rows.ts';
import models from '../rows/xai.json' with { type: 'json' };

/** `@ai-sdk/xai` 5: no seed; the resolution by name; a last frame only with one model. */
export const xaiDialect: Dialect = {
  name: 'xai',
  apiHosts: ['api.x.ai'],
  // "Generated image rejected by content moderation." is the answer to the request itself.
  defaultRules: [{ match: /^(.*\| )?generated (image|video)/i, code: 'output_rejected' }],
  operationOf: (requestId) => (isPlainId(requestId) ? { requestId } : null),
  models: parseRows(models),
};
