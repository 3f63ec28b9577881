import type { Dialect } from '../dialect.ts';
import { parseRows } from '../rows.ts';
import models from '../rows/googleVertex.json' with { type: 'json' };
import { googleDialect } from './google.ts';

/**
 * `@ai-sdk/google-vertex` 5 with an API key: the models of `@ai-sdk/google` at Vertex AI. Here sound can be
 * omitted, and a finished video is base64 inside the answer to the poll.
 */
export const googleVertexDialect: Dialect = {
  ...googleDialect,
  name: 'googleVertex',
  apiHosts: ['aiplatform.googleapis.com'],
  maxPollBytes: 128 * 1024 * 1024,
  models: parseRows(models),
  // Only the whole name locates the operation.
  operationOf: (name) =>
    /^(projects\/[\w.:-]+\/locations\/[\w-]+\/)?publishers\/google\/models\/[\w.-]+\/operations\/[\w-]+$/.test(
      name,
    )
      ? { operationName: name }
      : null,
  refusedImages: ({ images, isRetryable }) => {
    if (images.length > 0) return null;
    // The package reveals no more about the reason.
    return isRetryable === false ? 'content filter' : 'no image';
  },
};
