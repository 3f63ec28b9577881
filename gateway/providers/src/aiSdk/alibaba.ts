import { isPlainId, standardDialect, type Dialect } from '../dialect.ts';
import { parseRows } from '../rows.ts';
import models from '../rows/alibaba.json' with { type: 'json' };

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
  models: parseRows(models),
};
