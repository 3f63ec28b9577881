import type { SupportTable } from './supportTable.ts';

const aiSdk = 'https://ai-sdk.dev/providers/ai-sdk-providers/replicate';
const flux2 =
  'https://replicate.com/black-forest-labs/flux-2-pro/versions/00b07c32e314ceb5152c1d08e73400e6a61d7d22ba60a405fc76314fc807910c/api';
/** Of the models themselves, which are ByteDance's. */
const versions = 'https://developer.civitai.com/orchestration/recipes/seedance';
const seedance1 = 'https://ai-sdk.dev/providers/ai-sdk-providers/bytedance';
const readOn = '2026-11-22';
const seedance2 =
  'https://replicate.com/bytedance/seedance-2.0/versions/affbecc3d8793cbc66b5f7edcbc83c0af931593b30a03b4e77c8d5f7dadbd008/api';

/** Models at Replicate, with the names of their inputs that the dialect knows. */
export const replicateSupport: SupportTable = [
  {
    type: 'video',
    models: ['*seedance-2*-fast*', '*seedance-2*-mini*'],
    does: {
      seconds: { min: 4, max: 15 },
      resolutions: ['480p', '720p'],
      audio: true,
      lastFrame: true,
      references: { image: 9, video: 3, audio: 3 },
    },
    source: versions,
    readOn,
  },
  {
    type: 'video',
    models: ['*seedance-2.5*'],
    does: {
      seconds: { min: 4, max: 30 },
      resolutions: ['480p', '720p'],
      audio: true,
      lastFrame: true,
      references: { image: 9, video: 3, audio: 3 },
    },
    source: versions,
    readOn,
  },
  {
    type: 'video',
    models: ['*seedance-2*'],
    does: {
      seconds: { min: 4, max: 15 },
      resolutions: ['480p', '720p', '1080p'],
      audio: true,
      lastFrame: true,
      references: { image: 9, video: 3, audio: 3 },
    },
    source: seedance2,
    readOn,
  },
  {
    type: 'video',
    models: ['*seedance-1.5*'],
    does: {
      modes: ['text-to-video', 'image-to-video'],
      seconds: { min: 4, max: 12 },
      resolutions: ['480p', '720p', '1080p'],
      audio: true,
      lastFrame: true,
    },
    source: seedance1,
    readOn,
  },
  {
    type: 'video',
    models: ['*seedance-1-*'],
    does: {
      modes: ['text-to-video', 'image-to-video'],
      seconds: { min: 2, max: 12 },
      resolutions: ['480p', '720p', '1080p'],
    },
    source: seedance1,
    readOn,
  },
  {
    type: 'image',
    models: ['*seedream*', '*nano-banana*'],
    does: { references: { image: 9 } },
    source: aiSdk,
    readOn,
  },
  {
    type: 'image',
    models: ['*flux-2-*'],
    does: { references: { image: 8 }, resolutions: ['1k'] },
    source: flux2,
    readOn,
  },
  {
    type: 'image',
    models: ['*'],
    does: { resolutions: ['1k'] },
    source: aiSdk,
    readOn,
  },
];
