import { standardDialect, standardImageCall, type Dialect } from '../dialect.ts';
import { imageSize } from '../pixelSize.ts';
import { openaiSupport } from '../support/openaiSupport.ts';

/** The sizes that the models before GPT Image 2 make, by our aspect ratio. */
const sizes: Readonly<Record<string, `${number}x${number}`>> = {
  '1:1': '1024x1024',
  '3:2': '1536x1024',
  '2:3': '1024x1536',
};

/** Both sides of any other size are multiples of this, pixels. */
const step = 16;

/** `@ai-sdk/openai` 4, images only: no seed. */
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
  table: openaiSupport,
  imageCall: (order) => {
    const { resolution, aspect_ratio: aspectRatio } = order.parameters;
    const { width, height } = imageSize(resolution, aspectRatio, step);
    const named = resolution === '1k' ? sizes[aspectRatio] : undefined;
    return {
      ...standardImageCall(order),
      size: named ?? `${width}x${height}`,
      seed: undefined,
      own: { outputFormat: order.parameters.output_format },
    };
  },
};
