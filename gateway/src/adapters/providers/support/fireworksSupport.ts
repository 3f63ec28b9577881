import type { SupportTable } from './supportTable.ts';

const readOn = '2026-11-22';

/** Images at Fireworks. Every model makes about one megapixel. */
export const fireworksSupport: SupportTable = [
  {
    type: 'image',
    models: ['*kontext*'],
    does: { resolutions: ['1k'], references: { image: 1 } },
    source: 'https://docs.fireworks.ai/api-reference/generate-or-edit-image-using-flux-kontext',
    readOn,
  },
  {
    type: 'image',
    models: ['*'],
    does: { resolutions: ['1k'] },
    source: 'https://ai-sdk.dev/providers/ai-sdk-providers/fireworks',
    readOn,
  },
];
