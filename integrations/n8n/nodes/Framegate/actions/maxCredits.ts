import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import type { CreateRequest } from './createBody';
import { createPriceList } from './priceList';
import type { ItemContext } from './parseValues';

/** Refuses a generation that costs more than the user allows, before anything is created. */
export type PriceGuard = (
  place: ItemContext,
  request: CreateRequest,
  maximum: number,
) => Promise<void>;

/** A guard that reads this key's prices once, and only if one is needed. */
export function createPriceGuard(context: IExecuteFunctions, signal?: AbortSignal): PriceGuard {
  const priceOf = createPriceList(context, signal);
  return async (place, { body }, maximum) => {
    const { credits } = await priceOf(place, body.model, body.parameters ?? {});
    if (credits <= maximum) return;
    throw new NodeOperationError(
      context.getNode(),
      `This would cost ${credits} credits, more than the maximum of ${maximum}`,
      {
        description:
          'Open Options and raise Maximum Credits, or choose a lower resolution, a shorter duration or fewer images. Nothing was created for this item.',
        itemIndex: place.itemIndex,
      },
    );
  };
}
