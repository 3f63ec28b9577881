import { isPlainId, standardDialect, standardVideoCall, type Dialect } from '../dialect.ts';
import { alibabaSupport } from '../support/alibabaSupport.ts';

/** The sizes that Wan makes, by our resolution and aspect ratio. */
const sizes: Readonly<Record<string, Readonly<Record<string, `${number}x${number}`>>>> = {
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
      // For the other models the size has it, or the picture.
      aspectRatio: takesRatio(order.model) ? call.aspectRatio : undefined,
      own: { watermark: false },
    };
  },
};

function takesRatio(model: string): boolean {
  return model.startsWith('wan3') || (model.startsWith('wan2.7') && !model.includes('-i2v'));
}
