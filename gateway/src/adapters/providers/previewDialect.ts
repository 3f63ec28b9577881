import { standardDialect, standardImageCall, type Dialect } from './dialect.ts';
import type { RouteSupport } from './routeSupport.ts';

/** The renderer draws whatever the catalogue lets a customer ask for. */
const everything: RouteSupport = {
  modes: null,
  lastFrame: true,
  audio: true,
  references: { image: 100, video: 100, audio: 100 },
  resolutions: null,
  aspectRatios: null,
  seconds: null,
};

/** The preview renderer: everything, pictures as bytes, and the format that was ordered. */
export const previewDialect: Dialect = {
  ...standardDialect,
  name: 'preview',
  isLocal: true,
  takesBytesOnly: true,
  defaultRules: [{ match: /^input_invalid\b/, code: 'input_invalid' }],
  // A render that was stopped, or had no turn in time, is made again by the process that is asked next.
  declaredRefusal: /the renderer was closed|due to timeout/,
  videoSupport: () => everything,
  imageSupport: () => everything,
  imageCall: (order) => ({
    ...standardImageCall(order),
    own: { outputFormat: order.parameters.output_format },
  }),
};
