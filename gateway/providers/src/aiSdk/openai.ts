import { standardDialect, type Dialect } from '../dialect.ts';
import { parseRows } from '../rows.ts';
import models from '../rows/openai.json' with { type: 'json' };

/** `@ai-sdk/openai` 4, images only, without a seed. */
export const openaiDialect: Dialect = {
  ...standardDialect,
  name: 'openai',
  apiHosts: ['api.openai.com'],
  takesBytesOnly: true,
  defaultRules: [
    { match: /moderation_blocked|content_policy_violation|safety system/i, code: 'content' },
  ],
  // OpenAI, Error codes: the account's limit, and parameters checked before an image is made.
  refusedBeforeWork:
    /\b(billing_hard_limit_reached|insufficient_quota|unknown_parameter|invalid_value|missing_required_parameter)\b/,
  models: parseRows(models),
};
