import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { readModels } from './api/read';
import type { ModelEntry } from './generated/contract';

/**
 * Fills a list with the values of the chosen model; with those of all models if an expression decides or none is set.
 */
function choicesOf(read: (capabilities: ModelEntry['capabilities']) => readonly string[]) {
  return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
    const type = this.getCurrentNodeParameter('resource');
    const chosen = this.getCurrentNodeParameter('model', { extractValue: true });
    const models = (await readModels(this)).filter((model) => model.type === type);
    const matching = models.filter(({ id }) => id === chosen);
    const values = (matching.length > 0 ? matching : models).flatMap(({ capabilities }) =>
      read(capabilities),
    );
    return [...new Set(values)].map((value) => ({ name: value, value }));
  };
}

/** Fills the list of aspect ratios. */
export const getAspectRatios = choicesOf(({ aspect_ratios }) => aspect_ratios);
/** Fills the list of output formats. */
export const getOutputFormats = choicesOf(({ output_formats }) => output_formats);
/** Fills the list of resolutions. */
export const getResolutions = choicesOf(({ resolutions }) => resolutions);
