import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { readModels } from './api/read';
import { modeNames } from './fields/labels';
import type { ModelEntry } from './generated/contract';

/** Fills the list of models from the API: those that the key may use, in the API's order. */
function searchModels(type: ModelEntry['type']) {
  return async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
    const models = (await readModels(this)).filter((model) => model.type === type);
    const words = filter.toLowerCase();
    const results = models
      .map((model) => ({
        name: `${model.display_name} (${describePrice(model)})`,
        value: model.id,
        description: describeAbilities(model),
      }))
      .filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(words));
    return { results };
  };
}

/** Fills the list of video models. */
export const searchVideoModels = searchModels('video');
/** Fills the list of image models. */
export const searchImageModels = searchModels('image');

/** The price, such as `7 to 32 credits per second`. */
function describePrice({ pricing }: ModelEntry): string {
  const prices = Object.values(pricing.credits);
  const low = Math.min(...prices);
  const high = Math.max(...prices);
  return `${low === high ? low : `${low} to ${high}`} credits per ${pricing.per}`;
}

/** The abilities, such as `Text to Video, Image to Video; 4 to 10 seconds; 480p, 720p`. */
function describeAbilities({ capabilities }: ModelEntry): string {
  const { modes, duration_seconds: seconds, resolutions } = capabilities;
  const names: Readonly<Record<string, string>> = modeNames;
  return [
    modes.map((mode) => names[mode] ?? mode).join(', '),
    seconds && `${seconds.min} to ${seconds.max} seconds`,
    resolutions.join(', '),
  ]
    .filter(Boolean)
    .join('; ');
}
