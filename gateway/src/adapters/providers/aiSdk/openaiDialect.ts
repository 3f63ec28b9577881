import { standardDialect, standardImageCall, type Dialect } from '../dialect.ts';
import { leastSupport } from '../routeSupport.ts';

/** The sizes that every model of the family makes, by our aspect ratio. */
const sizes: Readonly<Record<string, `${number}x${number}`>> = {
  '1:1': '1024x1024',
  '3:2': '1536x1024',
  '2:3': '1024x1536',
};

/** `@ai-sdk/openai` 4, images only: three sizes, no seed. */
export const openaiDialect: Dialect = {
  ...standardDialect,
  name: 'openai',
  apiHosts: ['api.openai.com'],
  takesBytesOnly: true,
  defaultRules: [
    { match: /moderation_blocked|content_policy_violation|safety system/i, code: 'content' },
  ],
  // OpenAI, Error codes: the account's limit, and parameters that are checked before an image is made.
  refusedBeforeWork:
    /\b(billing_hard_limit_reached|insufficient_quota|unknown_parameter|invalid_value|missing_required_parameter)\b/,
  imageSupport: () => ({
    ...leastSupport,
    references: { image: 9, video: 0, audio: 0 },
    resolutions: ['1k'],
    aspectRatios: Object.keys(sizes),
  }),
  imageCall: (order) => {
    const call = standardImageCall(order);
    return {
      ...call,
      size: sizes[order.parameters.aspect_ratio] ?? call.size,
      seed: undefined,
      own: { outputFormat: order.parameters.output_format },
    };
  },
};
