import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { readModels } from '../api/read';
import type { ModelEntry } from '../generated/contract';
import { readSwitchField } from './itemOptions';
import { type ItemContext, parseCount } from './parseValues';

/** The models of the key, one item each, for an input item. */
export async function listModels(place: ItemContext): Promise<INodeExecutionData[]> {
  const { context, itemIndex } = place;
  const { type } = context.getNodeParameter('filters', itemIndex, {}) as { type?: string };
  const isSimplified = readSwitchField(place, 'simplify', true);
  const all = readSwitchField(place, 'returnAll', false);
  const value: unknown = context.getNodeParameter('limit', itemIndex, 50);
  const limit = all ? undefined : parseCount(place, 'limit', value, { min: 1 });
  const models = await readModels(context, context.getExecutionCancelSignal());
  const listed = models.filter((model) => !type || model.type === type);
  return listed.slice(0, limit).map((model) => ({
    json: isSimplified ? simplifyModel(model) : { ...model },
    pairedItem: { item: itemIndex },
  }));
}

function simplifyModel(model: ModelEntry): IDataObject {
  const { capabilities, pricing } = model;
  return {
    id: model.id,
    type: model.type,
    display_name: model.display_name,
    modes: capabilities.modes,
    resolutions: capabilities.resolutions,
    aspect_ratios: capabilities.aspect_ratios,
    ...(capabilities.duration_seconds && { duration_seconds: capabilities.duration_seconds }),
    credits_per: pricing.per,
    credits: pricing.credits,
    typical_seconds: model.typical_seconds,
  };
}
