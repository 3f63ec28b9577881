import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { readModels } from '../api/read';
import { catalogue, priceCredits } from '../generated/contract';
import type { ModelEntry, PricedParameters } from '../generated/contract';
import type { CreateRequest } from './createBody';

/** Refuses what costs more than the user allows, before anything is created. */
export type PriceGuard = (
  request: CreateRequest,
  maximum: number,
  itemIndex: number,
) => Promise<void>;

/** A guard that reads the prices of this key once, and only when one is needed. */
export function createPriceGuard(context: IExecuteFunctions, signal?: AbortSignal): PriceGuard {
  let models: Promise<ModelEntry[]> | undefined;
  return async ({ body }, maximum, itemIndex) => {
    models ??= readModels(context, signal);
    const model = (await models).find(({ id }) => id === body.model);
    const node = context.getNode();
    if (!model) {
      throw new NodeOperationError(node, `The model "${body.model}" is not available to this key`, {
        description: 'Choose a model from the list. Nothing was created.',
        itemIndex,
      });
    }
    const price = priceOf(model, body.parameters ?? {});
    if (price === undefined) {
      throw new NodeOperationError(node, 'The price cannot be told from these parameters', {
        description: `Check resolution, duration and number for the model "${model.id}", or remove the option Maximum Credits. Nothing was created.`,
        itemIndex,
      });
    }
    if (price <= maximum) return;
    throw new NodeOperationError(
      node,
      `This would cost ${price} credits, more than the maximum of ${maximum}`,
      {
        description:
          'Raise the option Maximum Credits, or choose a smaller resolution, duration or number. Nothing was created.',
        itemIndex,
      },
    );
  };
}

/** Credits of one generation from the prices of GET /models, or undefined where there is none. */
export function priceOf(
  { id, pricing }: Pick<ModelEntry, 'id' | 'pricing'>,
  parameters: Partial<PricedParameters>,
): number | undefined {
  const usual: Partial<PricedParameters> = {
    ...pricing.examples[0]?.parameters,
    ...usualParameters(id),
  };
  try {
    return priceCredits(pricing, { ...usual, ...parameters } as PricedParameters);
  } catch {
    return undefined;
  }
}

/** What the API takes for parameters that are left out. */
function usualParameters(id: string): Partial<PricedParameters> {
  const model = catalogue.find((entry) => entry.id === id);
  if (!model) return {};
  const { resolution } = model.defaults;
  return model.type === 'image'
    ? { resolution, n: model.defaults.n }
    : {
        resolution,
        duration_seconds: model.duration.default,
        generate_audio: model.defaults.generateAudio,
      };
}
