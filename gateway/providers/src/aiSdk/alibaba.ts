import { isPlainId, standardDialect, standardVideoCall, type Dialect } from '../dialect.ts';
import type { SizeTable, SupportTable } from '../routeSupport.ts';

const aiSdk = 'https://ai-sdk.dev/providers/ai-sdk-providers/alibaba';
/** The package's source, which distinguishes the protocols. */
const npm = 'https://www.npmjs.com/package/@ai-sdk/alibaba/v/2.0.58';
const readOn = '2026-11-22';

/** 21:9 is not available. */
const aspectRatios = ['16:9', '9:16', '1:1', '4:3', '3:4'];
const text = ['text-to-video'];
const image = ['image-to-video'];
const multimodal = ['multimodal-to-video'];
/** Given a picture, these models keep its ratio, so no ratio can be promised. */
const ratioOfThePicture: string[] = [];
const resolutions = ['720p', '1080p'];

/** Sizes of Wan, by our resolution and aspect ratio. */
const sizes: SizeTable = {
  '480p': { '16:9': '832x480', '9:16': '480x832', '1:1': '624x624' },
  '720p': {
    '16:9': '1280x720',
    '9:16': '720x1280',
    '1:1': '960x960',
    '4:3': '1088x832',
    '3:4': '832x1088',
  },
  '1080p': {
    '16:9': '1920x1080',
    '9:16': '1080x1920',
    '1:1': '1440x1440',
    '4:3': '1632x1248',
    '3:4': '1248x1632',
  },
};

/** Wan at Alibaba Cloud Model Studio. Up to 2.7 the id implies the mode. */
export const alibabaSupport: SupportTable = [
  {
    type: 'video',
    models: ['wan3*'],
    does: {
      lastFrame: true,
      audio: true,
      references: { image: 5 },
      resolutions: ['480p', '720p', '1080p'],
      aspectRatios,
    },
    source: npm,
    readOn,
    sizes,
  },
  {
    type: 'video',
    models: ['wan2.7-t2v*', 'wan2.6-t2v*'],
    does: { modes: text, seconds: { min: 2, max: 15 }, audio: 'always', resolutions, aspectRatios },
    source: aiSdk,
    readOn,
    sizes,
  },
  {
    type: 'video',
    models: ['wan2.6-r2v-flash*'],
    does: {
      modes: multimodal,
      seconds: { min: 2, max: 10 },
      audio: true,
      references: { image: 5 },
      resolutions,
      aspectRatios,
    },
    source: aiSdk,
    readOn,
    sizes,
  },
  {
    type: 'video',
    models: ['wan2.7-r2v*', 'wan2.6-r2v*'],
    does: {
      modes: multimodal,
      seconds: { min: 2, max: 10 },
      audio: 'always',
      references: { image: 5 },
      resolutions,
      aspectRatios,
    },
    source: aiSdk,
    readOn,
    sizes,
  },
  {
    type: 'video',
    models: ['wan2.6-i2v-flash*'],
    does: {
      modes: image,
      seconds: { min: 2, max: 15 },
      audio: true,
      resolutions,
      aspectRatios: ratioOfThePicture,
    },
    source: aiSdk,
    readOn,
    sizes,
  },
  {
    type: 'video',
    models: ['wan2.7-i2v*', 'wan2.6-i2v*'],
    does: {
      modes: image,
      seconds: { min: 2, max: 15 },
      audio: 'always',
      resolutions,
      aspectRatios: ratioOfThePicture,
    },
    source: aiSdk,
    readOn,
    sizes,
  },
  {
    type: 'video',
    models: ['wan2.5-t2v*'],
    does: {
      modes: text,
      seconds: [5, 10],
      audio: 'always',
      resolutions: ['480p', '720p', '1080p'],
      aspectRatios,
      combinations: [
        { when: { resolutions: ['480p'] }, only: { aspectRatios: ['16:9', '9:16', '1:1'] } },
      ],
    },
    source: aiSdk,
    readOn,
    sizes,
  },
  {
    type: 'video',
    models: ['wan2.5-i2v*'],
    does: {
      modes: image,
      seconds: [5, 10],
      audio: 'always',
      resolutions,
      aspectRatios: ratioOfThePicture,
    },
    source: npm,
    readOn,
    sizes,
  },
  {
    type: 'video',
    models: ['*-t2v*'],
    does: { modes: text, resolutions, aspectRatios },
    source: npm,
    readOn,
    sizes,
  },
  {
    type: 'video',
    models: ['*-i2v*'],
    does: { modes: image, resolutions, aspectRatios: ratioOfThePicture },
    source: npm,
    readOn,
    sizes,
  },
  {
    type: 'video',
    models: ['*-r2v*'],
    does: { modes: multimodal, references: { image: 5 }, resolutions, aspectRatios },
    source: npm,
    readOn,
    sizes,
  },
  {
    type: 'video',
    models: ['*'],
    does: { resolutions, aspectRatios },
    source: npm,
    readOn,
    sizes,
  },
];

/** `@ai-sdk/alibaba` 2: the Wan models, whose id implies the protocol and, up to 2.7, the mode. */
export const alibabaDialect: Dialect = {
  ...standardDialect,
  name: 'alibaba',
  apiHosts: ['dashscope-intl.aliyuncs.com'],
  defaultRules: [
    { match: /input( \w+)? data .*inappropriate/i, code: 'input_rejected' },
    { match: /output( \w+)? data .*inappropriate/i, code: 'output_rejected' },
    { match: /data_?inspection_?failed|inappropriate content|ipinfringement/i, code: 'content' },
  ],
  operationOf: (taskId) => (isPlainId(taskId) ? { taskId } : null),
  table: alibabaSupport,
  videoCall: (order) => {
    const { resolution, aspect_ratio: aspectRatio } = order.parameters;
    const size = sizes[resolution]?.[aspectRatio];
    const call = standardVideoCall(order);
    return {
      ...call,
      ...(size ? { resolution: size } : {}),
      // For the other models the size or the picture implies the ratio.
      aspectRatio: takesRatio(order.model) ? call.aspectRatio : undefined,
      own: { watermark: false },
    };
  },
};

function takesRatio(model: string): boolean {
  return model.startsWith('wan3') || (model.startsWith('wan2.7') && !model.includes('-i2v'));
}
