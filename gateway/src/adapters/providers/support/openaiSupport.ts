import type { SupportTable } from './supportTable.ts';

const guide = 'https://developers.openai.com/api/docs/guides/image-generation';
const firstEnd = 'https://weighmyprompt.com/deprecations/openai-gpt-image-1';
const laterEnds = 'https://aiweekly.co/alerts/openai-deprecates-three-image-apis-by-december-2026';
const readOn = '2026-11-22';

/** The three sizes of the models before GPT Image 2. */
const threeSizes = ['1:1', '3:2', '2:3'];
const references = { image: 16 };

/** GPT Image. From 2 on any size in multiples of 16, up to 8,294,400 pixels: too few for 4k. */
export const openaiSupport: SupportTable = [
  {
    type: 'image',
    models: ['gpt-image-2*'],
    does: { resolutions: ['1k', '2k'], references },
    source: guide,
    readOn,
  },
  {
    type: 'image',
    models: ['gpt-image-1-mini*', 'gpt-image-1.5*'],
    does: { resolutions: ['1k'], aspectRatios: threeSizes, references },
    source: laterEnds,
    readOn,
    retired: { on: '2026-12-01', replacement: 'gpt-image-2' },
  },
  {
    type: 'image',
    models: ['gpt-image-1*'],
    does: { resolutions: ['1k'], aspectRatios: threeSizes, references },
    source: firstEnd,
    readOn,
    retired: { on: '2026-10-23', replacement: 'gpt-image-2' },
  },
  {
    type: 'image',
    models: ['*'],
    does: { resolutions: ['1k'], aspectRatios: threeSizes, references },
    source: guide,
    readOn,
  },
];
