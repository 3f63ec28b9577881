import { standardDialect, standardImageCall, type Dialect } from './dialect.ts';
import type { SupportsJson } from './routeSupport.ts';

/** The renderer draws whatever the catalogue lets a customer ask for. */
const everything: SupportsJson = {
  lastFrame: true,
  audio: true,
  references: { image: 100, video: 100, audio: 100 },
};
const own = { models: ['*'], does: everything, source: 'gateway/preview', readOn: '2026-11-22' };

/** The preview renderer: everything, pictures as bytes, and the format that was ordered. */
export const previewDialect: Dialect = {
  ...standardDialect,
  name: 'preview',
  isLocal: true,
  takesBytesOnly: true,
  defaultRules: [{ match: /^input_invalid\b/, code: 'input_invalid' }],
  // A render that was stopped, or had no turn in time, is made again by the process that is asked next.
  declaredRefusal: /the renderer was closed|due to timeout/,
  table: [
    { type: 'video', ...own },
    { type: 'image', ...own },
  ],
  imageCall: (order) => ({
    ...standardImageCall(order),
    own: { outputFormat: order.parameters.output_format },
  }),
};
