import type { SupportTable } from './supportTable.ts';

const aiSdk = 'https://ai-sdk.dev/providers/ai-sdk-providers/black-forest-labs';
const readOn = '2026-11-22';

/** FLUX at Black Forest Labs. Kontext and 1.1 Ultra have sizes of their own, by the ratio. */
export const blackForestLabsSupport: SupportTable = [
  {
    type: 'video',
    models: ['flux-3-video'],
    does: {
      modes: ['text-to-video', 'image-to-video'],
      seconds: { min: 5, max: 20 },
      resolutions: ['720p', '1080p'],
      aspectRatios: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'],
      audio: true,
      lastFrame: true,
    },
    source: aiSdk,
    readOn,
  },
  {
    type: 'image',
    models: ['flux-2-*klein*'],
    does: { resolutions: ['1k'], references: { image: 4 } },
    source: aiSdk,
    readOn,
  },
  {
    type: 'image',
    models: ['flux-2-*'],
    does: { resolutions: ['1k'], references: { image: 8 } },
    source: aiSdk,
    readOn,
  },
  {
    type: 'image',
    models: ['*kontext*'],
    does: { resolutions: ['1k'], references: { image: 4 } },
    source: aiSdk,
    readOn,
  },
  {
    type: 'image',
    models: ['*ultra*'],
    does: { resolutions: ['2k'] },
    source: aiSdk,
    readOn,
  },
  {
    type: 'image',
    models: ['*'],
    // In multiples of 32 and up to 1440, nothing wider comes near to the area that is sold.
    does: { resolutions: ['1k'], aspectRatios: ['1:1', '4:3', '3:4', '3:2', '2:3'] },
    source: aiSdk,
    readOn,
  },
];
