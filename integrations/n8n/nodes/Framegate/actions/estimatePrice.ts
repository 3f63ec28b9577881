import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { imageParametersOf, modelOf, videoParametersOf } from './createBody';
import { inOrder, planItems } from './planItems';
import { createPriceList, type PriceList } from './priceList';
import type { ItemContext } from './parseValues';

/**
 * The price of a create request for each item, computed from the key's price list. Nothing is created or charged, and
 * the list is read once for all items.
 */
export async function estimatePrices(
  context: IExecuteFunctions,
  kind: 'video' | 'image',
): Promise<INodeExecutionData[]> {
  const priceOf = createPriceList(context, context.getExecutionCancelSignal());
  const { planned, refused } = await planItems(context, (place) =>
    estimatePrice(place, kind, priceOf),
  );
  return inOrder(refused, planned);
}

async function estimatePrice(
  place: ItemContext,
  kind: 'video' | 'image',
  priceOf: PriceList,
): Promise<INodeExecutionData> {
  const typed = kind === 'video' ? videoParametersOf(place) : imageParametersOf(place);
  const { model, credits, parameters } = await priceOf(place, modelOf(place), typed);
  const json: IDataObject = {
    model: model.id,
    type: model.type,
    cost_credits: credits,
    parameters: { ...parameters },
  };
  return { json, pairedItem: { item: place.itemIndex } };
}
