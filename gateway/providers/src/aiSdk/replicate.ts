import type { Dialect } from '../dialect.ts';
import { fieldsOf, listOf } from '../unknownJson.ts';

/**
 * `@ai-sdk/replicate` 3. Each model has its own parameter names, listed in its row. The package passes on provider
 * options, but silently drops last frame, references and sound of videos if they are given as its common options. A
 * failed prediction has been created and is answered with 201. The package's number of images per call is actually the
 * number of input images that a model takes.
 */
export const replicate: Partial<Dialect> = {
  parseEnd: (answer) => {
    const { status, output } = fieldsOf(answer);
    if (status === 'aborted') return { status: 'error', error: 'aborted' };
    if (status !== 'succeeded' || listOf(output).length === 0) return null;
    const urls = listOf(output).filter((each) => typeof each === 'string');
    const videos = urls.map((url) => ({ type: 'url', url, mediaType: 'video/mp4' }) as const);
    return { status: 'completed', videos, warnings: [] };
  },
};
