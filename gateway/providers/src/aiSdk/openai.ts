import { standardDialect, standardImageCall, type Dialect } from '../dialect.ts';
import { imageSize } from '../pixelSize.ts';
import type { SizeTable, SupportTable } from '../routeSupport.ts';

const guide = 'https://developers.openai.com/api/docs/guides/image-generation';
const firstEnd = 'https://weighmyprompt.com/deprecations/openai-gpt-image-1';
const laterEnds = 'https://aiweekly.co/alerts/openai-deprecates-three-image-apis-by-december-2026';
const readOn = '2026-11-22';

/** The three sizes of the models before GPT Image 2. */
const threeSizes = ['1:1', '3:2', '2:3'];
const references = { image: 16 };

/** Sizes of the models before GPT Image 2, by our resolution and aspect ratio. */
const sizes: SizeTable = {
  '1k': { '1:1': '1024x1024', '3:2': '1536x1024', '2:3': '1024x1536' },
};

/** GPT Image. From 2 on any size in multiples of 16 up to 8,294,400 pixels, which is too few for 4k. */
export const openaiSupport: SupportTable = [
  {
    type: 'image',
    models: ['gpt-image-2*'],
    does: { resolutions: ['1k', '2k'], references },
    source: guide,
    readOn,
    sizes,
  },
  {
    type: 'image',
    models: ['gpt-image-1-mini*', 'gpt-image-1.5*'],
    does: { resolutions: ['1k'], aspectRatios: threeSizes, references },
    source: laterEnds,
    readOn,
    sizes,
    retired: { on: '2026-12-01', replacement: 'gpt-image-2' },
  },
  {
    type: 'image',
    models: ['gpt-image-1*'],
    does: { resolutions: ['1k'], aspectRatios: threeSizes, references },
    source: firstEnd,
    readOn,
    sizes,
    retired: { on: '2026-10-23', replacement: 'gpt-image-2' },
  },
  {
    type: 'image',
    models: ['*'],
    does: { resolutions: ['1k'], aspectRatios: threeSizes, references },
    source: guide,
    readOn,
    sizes,
  },
];

/** Both sides of other sizes are multiples of this, in pixels. */
const step = 16;

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
  table: openaiSupport,
  imageCall: (order) => {
    const { resolution, aspect_ratio: aspectRatio } = order.parameters;
    const { width, height } = imageSize(resolution, aspectRatio, step);
    const named = sizes[resolution]?.[aspectRatio];
    return {
      ...standardImageCall(order),
      size: named ?? `${width}x${height}`,
      seed: undefined,
      own: { outputFormat: order.parameters.output_format },
    };
  },
};
