import { standardVideoCall, type Dialect } from '../dialect.ts';
import { googleVertexSupport } from '../support/googleVertexSupport.ts';
import { googleDialect } from './googleDialect.ts';

/**
 * `@ai-sdk/google-vertex` 5 with an API key: the models of `@ai-sdk/google` at Vertex AI. Sound can be left out
 * there, and a finished video comes as base64 inside the answer to the poll.
 */
export const googleVertexDialect: Dialect = {
  ...googleDialect,
  name: 'googleVertex',
  apiHosts: ['aiplatform.googleapis.com'],
  maxPollBytes: 128 * 1024 * 1024,
  table: googleVertexSupport,
  // Only the whole name says where the operation is.
  operationOf: (name) =>
    /^(projects\/[\w.:-]+\/locations\/[\w-]+\/)?publishers\/google\/models\/[\w.-]+\/operations\/[\w-]+$/.test(
      name,
    )
      ? { operationName: name }
      : null,
  videoCall: (order) => ({
    ...googleDialect.videoCall(order),
    generateAudio: standardVideoCall(order).generateAudio,
  }),
  refusedImages: ({ images, isRetryable }) => {
    if (images.length > 0) return null;
    // The package says no more than this of the reason.
    return isRetryable === false ? 'content filter' : 'no image';
  },
};
