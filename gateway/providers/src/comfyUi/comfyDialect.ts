import type { Dialect } from '../dialect.ts';

/** ComfyUI's dialect. Its workflows are the operator's, so each route states what its workflow does. */
export const comfyDialect: Dialect = {
  name: 'comfyui',
  // The address of its server is that of its API.
  apiHosts: [],
  takesBytesOnly: true,
  defaultRules: [],
  models: { rows: [], send: {} },
};
