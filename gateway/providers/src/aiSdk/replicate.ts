import type { Dialect } from '../dialect.ts';
import { fieldsOf, listOf } from '../unknownJson.ts';

/**
 * `@ai-sdk/replicate` 3. Each model names its parameters differently, so its row lists the names. The package passes
 * provider options through, but silently drops last frame, references and sound of videos if they are given as its
 * common options. A failed prediction has been created, its answer is a 201; the package's number of images per call
 * is that of the input images that a model takes.
 */
export const replicate: Partial<Dialect> = {
  parseEnd: (answer) => {
    const { status, output } = fieldsOf(answer);
    if (status === 'aborted') return { error: 'aborted' };
    if (status !== 'succeeded' || listOf(output).length === 0) return null;
    return { urls: listOf(output).filter((each) => typeof each === 'string') };
  },
};
