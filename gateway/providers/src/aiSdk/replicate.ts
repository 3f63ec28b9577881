import type { Dialect } from '../dialect.ts';
import { fieldsOf } from '../unknownJson.ts';

/**
 * `@ai-sdk/replicate` 3. Each model has its own parameter names, listed in its row. The package passes on provider
 * options, but silently drops last frame, references and sound of videos if they are given as its common options. A
 * failed prediction has been created and is answered with 201. The package's number of images per call is actually the
 * number of input images that a model takes.
 */
export const replicate: Partial<Dialect> = {
  parseEnd: (response) => {
    const { status } = fieldsOf(response);
    return status === 'aborted' ? { status: 'error', error: 'aborted' } : null;
  },
};
