import type { PollingTriggerPerform, Trigger } from 'zapier-platform-core';
import type { ModelEntry } from '../generated/contract.ts';
import { listModels } from '../listModels.ts';
import { beginReading } from '../step.ts';

/** Entry of a model in the dropdown. */
type Choice = Record<'id' | 'name', string>;

/** Hidden triggers that fill the model dropdowns. @param type Undefined for models of both types. */
function models(
  key: string,
  what: string,
  type: ModelEntry['type'] | undefined,
  sample: Choice,
): Trigger & { key: string } {
  const perform: PollingTriggerPerform<Record<string, unknown>, Choice> = async (z, bundle) =>
    (await listModels(beginReading(z, bundle)))
      .filter((model) => type === undefined || model.type === type)
      .map((model) => ({ id: model.id, name: model.display_name }));
  return {
    key,
    noun: `${what} Model`,
    display: {
      label: `New ${what} Model`,
      description: `Triggers when a new ${what.toLowerCase()} model is available to the API key.`,
      hidden: true,
    },
    operation: {
      type: 'polling',
      perform,
      sample,
      outputFields: [
        { key: 'id', label: 'Model ID', type: 'string', primary: true },
        { key: 'name', label: 'Model Name', type: 'string' },
      ],
    },
  };
}

const video = { id: 'alpha-2.0-pro', name: 'Alpha 2.0 Pro' };

/** Fills the dropdown of video models. */
export const videoModelList = models('video_model_list', 'Video', 'video', video);

/** Fills the dropdown of image models. */
export const imageModelList = models('image_model_list', 'Image', 'image', {
  id: 'image-b-2',
  name: 'Image B 2',
});

/** Fills the dropdown of all models. */
export const modelList = models('model_list', 'Video or Image', undefined, video);
