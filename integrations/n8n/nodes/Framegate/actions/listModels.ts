import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { readModels } from '../api/read';
import type { ModelEntry } from '../generated/contract';

/** The models of the key, one item each, for an input item. */
export async function listModels(
  context: IExecuteFunctions,
  itemIndex: number,
): Promise<INodeExecutionData[]> {
  const { type } = context.getNodeParameter('filters', itemIndex, {}) as { type?: string };
  const simplify = context.getNodeParameter('simplify', itemIndex, true) as boolean;
  const all = context.getNodeParameter('returnAll', itemIndex, false) as boolean;
  const limit = context.getNodeParameter('limit', itemIndex, 50) as number;
  const models = await readModels(context, context.getExecutionCancelSignal());
  const wanted = models.filter((model) => !type || model.type === type);
  return wanted.slice(0, all ? undefined : limit).map((model) => ({
    json: simplify ? simplified(model) : { ...model },
    pairedItem: { item: itemIndex },
  }));
}

function simplified(model: ModelEntry): IDataObject {
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
