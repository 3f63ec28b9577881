import type { SupportTable } from '../routeSupport.ts';
import { seedance1Sizes, seedanceSizes } from '../seedanceSizes.ts';

const seedance15 =
  'https://fal.ai/docs/model-api-reference/video-generation-api/bytedance-seedance-v1.5-pro.md';
const seedance1 = 'https://fal.ai/models/fal-ai/bytedance/seedance/v1/pro/text-to-video/api';
const seedance2 = 'https://fal.ai/models/bytedance/seedance-2.0/fast/text-to-video/llms.txt';
const seedance25 = 'https://fal.ai/models/bytedance/seedance-2.5/us/reference-to-video/api';
const aiSdk = 'https://ai-sdk.dev/providers/ai-sdk-providers/fal';
const readOn = '2026-11-22';

const text = ['text-to-video'];
const image = ['image-to-video'];
const multimodal = ['multimodal-to-video'];
const aspectRatios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'];

const does1 = {
  seconds: { min: 2, max: 12 },
  resolutions: ['480p', '720p', '1080p'],
  aspectRatios,
};
const does1Lite = { ...does1, resolutions: ['480p', '720p'] };
const does15 = {
  seconds: { min: 4, max: 12 },
  resolutions: ['480p', '720p', '1080p'],
  aspectRatios,
  audio: true,
};
const does2 = {
  seconds: { min: 4, max: 15 },
  resolutions: ['480p', '720p'],
  aspectRatios,
  audio: true,
};
const does25 = { ...does2, seconds: { min: 4, max: 30 } };

/** Endpoints of fal; the id implies the mode. */
export const falSupport: SupportTable = [
  {
    type: 'video',
    models: ['*seedance/v1/lite/text-to-video'],
    does: { ...does1Lite, modes: text },
    source: seedance1,
    readOn,
    sizes: seedance1Sizes,
  },
  {
    type: 'video',
    models: ['*seedance/v1/lite/image-to-video'],
    does: { ...does1Lite, modes: image },
    source: seedance1,
    readOn,
    sizes: seedance1Sizes,
  },
  {
    type: 'video',
    models: ['*seedance/v1/*text-to-video'],
    does: { ...does1, modes: text },
    source: seedance1,
    readOn,
    sizes: seedance1Sizes,
  },
  {
    type: 'video',
    models: ['*seedance/v1/*image-to-video'],
    does: { ...does1, modes: image },
    source: seedance1,
    readOn,
    sizes: seedance1Sizes,
  },
  {
    type: 'video',
    models: ['*seedance/v1.5/*text-to-video'],
    does: { ...does15, modes: text },
    source: seedance15,
    readOn,
    sizes: seedanceSizes,
  },
  {
    type: 'video',
    models: ['*seedance/v1.5/*image-to-video'],
    does: { ...does15, modes: image, lastFrame: true },
    source: seedance15,
    readOn,
    sizes: seedanceSizes,
  },
  {
    type: 'video',
    models: ['*seedance-2.5/*text-to-video'],
    does: { ...does25, modes: text },
    source: seedance25,
    readOn,
    sizes: seedanceSizes,
  },
  {
    type: 'video',
    models: ['*seedance-2.5/*image-to-video'],
    does: { ...does25, modes: image, lastFrame: true },
    source: seedance25,
    readOn,
    sizes: seedanceSizes,
  },
  {
    type: 'video',
    models: ['*seedance-2.5/*reference-to-video'],
    does: { ...does25, modes: multimodal, references: { image: 30, video: 10, audio: 10 } },
    source: seedance25,
    readOn,
    sizes: seedanceSizes,
  },
  {
    type: 'video',
    models: ['*seedance-2*text-to-video'],
    does: { ...does2, modes: text },
    source: seedance2,
    readOn,
    sizes: seedanceSizes,
  },
  {
    type: 'video',
    models: ['*seedance-2*image-to-video'],
    does: { ...does2, modes: image, lastFrame: true },
    source: seedance2,
    readOn,
    sizes: seedanceSizes,
  },
  {
    type: 'video',
    models: ['*seedance-2*reference-to-video'],
    does: { ...does2, modes: multimodal, references: { image: 9, video: 3, audio: 3 } },
    source: seedance2,
    readOn,
    sizes: seedanceSizes,
  },
  {
    type: 'video',
    models: ['*text-to-video*'],
    does: { modes: text },
    source: aiSdk,
    readOn,
  },
  {
    type: 'video',
    models: ['*image-to-video*'],
    does: { modes: image },
    source: aiSdk,
    readOn,
  },
  {
    type: 'video',
    models: ['*reference-to-video*'],
    does: { modes: multimodal },
    source: aiSdk,
    readOn,
  },
  {
    type: 'image',
    models: ['*/edit', '*/edit/*', '*-edit*', '*kontext*', '*image-to-image*'],
    does: { references: { image: 1 } },
    source: aiSdk,
    readOn,
  },
];
