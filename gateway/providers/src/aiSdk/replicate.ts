import { isPlainId, textIn, type Dialect } from '../dialect.ts';
import { parseRows } from '../rows.ts';
import { fieldsOf, listOf } from '../unknownJson.ts';
import models from '../rows/replicate.json' with { type: 'json' };

/**
 * `@ai-sdk/replicate` 3. Each model names its parameters differently, so its row lists the names. The package passes
 * provider options through, but silently drops last frame, references and sound of videos if they are given as its
 * common options.
 */
export const replicateDialect: Dialect = {
  name: 'replicate',
  apiHosts: ['api.replicate.com'],
  defaultRules: [{ match: /\(E005\)|flagged as sensitive/i, code: 'content' }],
  operationOf: (id) =>
    isPlainId(id) ? { getUrl: `https://api.replicate.com/v1/predictions/${id}` } : null,
  // For queued and running jobs (Replicate: HTTP API, predictions.cancel).
  cancelRequest(operation, { apiKey }) {
    const url = textIn(operation, 'getUrl');
    return url === null
      ? null
      : { method: 'POST', url: `${url}/cancel`, authorization: `Bearer ${apiKey}` };
  },
  models: parseRows(models),
  // A failed prediction has been created: its answer is a 201.
  queuesImages: true,
  // The package's number is that of the input images that a model takes.
  imagesPerCall: 1,
  parseEnd: (answer) => {
    const { status, output } = fieldsOf(answer);
    if (status === 'aborted') return { error: 'aborted' };
    if (status !== 'succeeded' || listOf(output).length === 0) return null;
    return { urls: listOf(output).filter((each) => typeof each === 'string') };
  },
};
