import type { IExecuteFunctions } from 'n8n-workflow';
import { readModels } from '../api/read';
import { type ModelEntry, priceCredits, type PricedParameters } from '../generated/contract';
import { type ItemContext, refusedValue } from './parseValues';

/** The price of one generation, with the values it applies to. */
export interface Price {
  model: ModelEntry;
  credits: number;
  /** The values that determine the price, with the model's defaults for missing ones. */
  parameters: PricedParameters;
}

/** Returns a price from this key's price list. */
export type PriceList = (
  place: ItemContext,
  modelId: string,
  parameters: Partial<PricedParameters>,
) => Promise<Price>;

/**
 * This key's prices, read once and only if one is needed.
 * @throws NodeOperationError, from the list, for a model or a value that is not offered.
 */
export function createPriceList(context: IExecuteFunctions, signal?: AbortSignal): PriceList {
  let models: Promise<ModelEntry[]> | undefined;
  return async (place, modelId, parameters) => {
    models ??= readModels(context, signal);
    const model = (await models).find(({ id }) => id === modelId);
    if (!model) {
      const rule = 'must be a model that your key can use';
      throw refusedValue(place, 'model', rule, modelId, 'Choose a model from the list.');
    }
    const effective = effectiveParameters(model, parameters);
    requireOffered(place, model, effective);
    return { model, parameters: effective, credits: priceCredits(model.pricing, effective) };
  };
}

/**
 * The values that determine the price. The first worked example of a model's pricing has its defaults, which the API
 * uses for missing fields.
 */
export function effectiveParameters(
  { pricing }: Pick<ModelEntry, 'pricing'>,
  parameters: Partial<PricedParameters>,
): PricedParameters {
  const usual: PricedParameters = { resolution: '', ...pricing.examples[0]?.parameters };
  const { resolution, duration_seconds, generate_audio, n } = { ...usual, ...parameters };
  return pricing.per === 'second'
    ? {
        resolution,
        ...(duration_seconds !== undefined && { duration_seconds }),
        ...(generate_audio !== undefined && { generate_audio }),
      }
    : { resolution, ...(n !== undefined && { n }) };
}

/** Only values that the model accepts have a price, which therefore equals that of a create request. */
function requireOffered(place: ItemContext, model: ModelEntry, parameters: PricedParameters): void {
  const { capabilities, pricing, id } = model;
  const { resolution, duration_seconds: seconds, generate_audio: audio, n } = parameters;
  if (!Object.hasOwn(pricing.credits, resolution)) {
    const all = Object.keys(pricing.credits).join(', ');
    throw refusedValue(place, 'resolution', `must be one that ${id} offers: ${all}`, resolution);
  }
  const range = pricing.per === 'second' ? capabilities.duration_seconds : capabilities.n;
  const units = pricing.per === 'second' ? seconds : n;
  if (units === undefined || (range && (units < range.min || units > range.max))) {
    const field = pricing.per === 'second' ? 'durationSeconds' : 'n';
    const rule = `must be from ${range?.min} to ${range?.max} for ${id}`;
    throw refusedValue(place, field, rule, units);
  }
  if (audio === true && !capabilities.generate_audio) {
    throw refusedValue(place, 'generateAudio', `must be off for ${id}: it makes no sound`, audio);
  }
}
