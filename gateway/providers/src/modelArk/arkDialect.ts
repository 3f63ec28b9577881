import { isPlainId, standardDialect, textIn, type Dialect } from '../dialect.ts';
import type { SupportTable } from '../routeSupport.ts';
import { seedance1Sizes, seedanceSizes } from '../seedanceSizes.ts';
import { arkName, taskUrl } from './modelArk.ts';

const aiSdk = 'https://ai-sdk.dev/providers/ai-sdk-providers/bytedance';
const models = 'https://docs.byteplus.com/en/docs/ModelArk/1350667';
/** A client of ModelArk that documents the support of each version of Seedance. */
const versions = 'https://developer.civitai.com/orchestration/recipes/seedance';
const readOn = '2026-11-22';

/**
 * ModelArk accepts real people only as verified assets (`asset://…`,
 * docs.byteplus.com/en/docs/ModelArk/2315856); our inputs are https files, in which it refuses them.
 */
const realPerson = false;
const aspectRatios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'];
const textAndImage = ['text-to-video', 'image-to-video'];
const everyMode = [...textAndImage, 'multimodal-to-video'];
const oldestSeconds = { min: 2, max: 12 };
const litesEnd = { on: '2026-05-13', replacement: 'seedance-1-5-pro-251215' };

/** Seedance at BytePlus ModelArk. An endpoint id (`ep-…`) does not reveal its model. */
export const arkSupport: SupportTable = [
  {
    type: 'video',
    models: ['*seedance-1-0-lite-t2v*'],
    does: {
      modes: ['text-to-video'],
      seconds: oldestSeconds,
      resolutions: ['480p', '720p'],
      aspectRatios,
      realPerson,
    },
    source: aiSdk,
    readOn,
    sizes: seedance1Sizes,
    retired: litesEnd,
  },
  {
    type: 'video',
    models: ['*seedance-1-0-lite-i2v*'],
    does: {
      modes: ['image-to-video', 'multimodal-to-video'],
      seconds: oldestSeconds,
      resolutions: ['480p', '720p'],
      aspectRatios,
      lastFrame: true,
      references: { image: 4 },
      realPerson,
    },
    source: aiSdk,
    readOn,
    sizes: seedance1Sizes,
    retired: litesEnd,
  },
  {
    type: 'video',
    models: ['*seedance-1-0-pro-fast*'],
    does: {
      modes: textAndImage,
      seconds: oldestSeconds,
      resolutions: ['480p', '720p', '1080p'],
      aspectRatios,
      realPerson,
    },
    source: aiSdk,
    readOn,
    sizes: seedance1Sizes,
  },
  {
    type: 'video',
    models: ['*seedance-1-0-*'],
    does: {
      modes: textAndImage,
      seconds: oldestSeconds,
      resolutions: ['480p', '720p', '1080p'],
      aspectRatios,
      lastFrame: true,
      realPerson,
    },
    source: models,
    readOn,
    sizes: seedance1Sizes,
  },
  {
    type: 'video',
    models: ['*seedance-1-5-*'],
    does: {
      modes: textAndImage,
      seconds: { min: 4, max: 12 },
      resolutions: ['480p', '720p', '1080p'],
      aspectRatios,
      audio: true,
      lastFrame: true,
      realPerson,
    },
    source: aiSdk,
    readOn,
    sizes: seedanceSizes,
  },
  {
    type: 'video',
    models: ['*seedance-2-0-fast*', '*seedance-2-0-mini*'],
    does: {
      modes: everyMode,
      seconds: { min: 4, max: 15 },
      resolutions: ['480p', '720p'],
      aspectRatios,
      audio: true,
      lastFrame: true,
      references: { image: 9, video: 3, audio: 3 },
      realPerson,
    },
    source: versions,
    readOn,
    sizes: seedanceSizes,
  },
  {
    type: 'video',
    models: ['*seedance-2-0-*'],
    does: {
      modes: everyMode,
      seconds: { min: 4, max: 15 },
      resolutions: ['480p', '720p', '1080p', '2160p'],
      aspectRatios,
      audio: true,
      lastFrame: true,
      references: { image: 9, video: 3, audio: 3 },
      realPerson,
    },
    source: versions,
    readOn,
    sizes: seedanceSizes,
  },
  {
    type: 'video',
    models: ['*seedance-2-5-*'],
    does: {
      modes: everyMode,
      seconds: { min: 4, max: 30 },
      resolutions: ['480p', '720p'],
      aspectRatios,
      audio: true,
      lastFrame: true,
      references: { image: 30, video: 10, audio: 10 },
      realPerson,
    },
    source: versions,
    readOn,
    sizes: seedanceSizes,
  },
  {
    type: 'video',
    models: ['*'],
    does: {
      resolutions: ['480p', '720p', '1080p'],
      aspectRatios,
      audio: true,
      lastFrame: true,
      references: { image: 9, video: 3, audio: 3 },
      realPerson,
    },
    source: versions,
    readOn,
    sizes: seedanceSizes,
  },
];

/** ModelArk's dialect, with the errors of its Error Codes page. */
export const arkDialect: Dialect = {
  ...standardDialect,
  name: arkName,
  // Its entry's `baseURL` names the host.
  apiHosts: [],
  defaultRules: [
    {
      match: /Input\w*(SensitiveContentDetected|RiskDetection)\.PrivacyInformation/i,
      code: 'real_person_rejected',
    },
    { match: /Output\w*(SensitiveContentDetected|RiskDetection)/i, code: 'output_rejected' },
    { match: /(SensitiveContentDetected|Input\w*RiskDetection)/i, code: 'input_rejected' },
  ],
  // Documented as 429; a proxy may use another status.
  declaredRefusal:
    /\b(ServerOverloaded|RateLimitExceeded|RequestBurstTooFast|QuotaExceeded|SetLimitExceeded)\b/,
  operationOf: (taskId) => (isPlainId(taskId) ? { taskId } : null),
  // Only queued jobs; running ones are refused (ModelArk: Cancel or delete a video generation task).
  cancelRequest(operation, { apiKey, baseURL }) {
    const id = textIn(operation, 'taskId');
    const authorization = `Bearer ${apiKey}`;
    return id === null ? null : { method: 'DELETE', url: taskUrl(baseURL, id), authorization };
  },
  table: arkSupport,
};
