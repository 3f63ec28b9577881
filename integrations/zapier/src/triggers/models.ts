import type { PollingTriggerPerform, Trigger } from 'zapier-platform-core';
import type { ModelEntry } from '../generated/contract.ts';
import { listModels } from '../listModels.ts';

/** Hidden triggers: what the model dropdowns of the two creates show. */
function models(type: ModelEntry['type'], label: string, sample: { id: string; name: string }) {
  const perform: PollingTriggerPerform<
    Record<string, unknown>,
    { id: string; name: string }
  > = async (z, bundle) =>
    (await listModels(z, bundle, type)).map((model) => ({
      id: model.id,
      name: model.display_name,
    }));
  return {
    key: `${type}_model_list`,
    noun: `${label} Model`,
    display: {
      label: `New ${label} Model`,
      description: `Triggers when a new ${type} model is available to the API key.`,
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
  } satisfies Trigger;
}

export const videoModelList = models('video', 'Video', {
  id: 'alpha-2.0-pro',
  name: 'Alpha 2.0 Pro',
});

export const imageModelList = models('image', 'Image', { id: 'image-b-2', name: 'Image B 2' });
