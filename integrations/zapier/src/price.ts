import { type ModelEntry, priceCredits, type PricedParameters } from './generated/contract.ts';

/** Parameters that determine a price: those of a body, without empty fields. */
export type PriceParameters = { [K in keyof PricedParameters]?: PricedParameters[K] | undefined };

/** The parameters that determine this model's price, with its defaults for missing ones. */
export function pricedParameters(
  { pricing }: Pick<ModelEntry, 'pricing'>,
  parameters: PriceParameters,
): PriceParameters {
  // The first price example has the default values.
  const usual: PriceParameters = pricing.examples[0]?.parameters ?? {};
  const keys = pricing.per === 'second' ? secondKeys : imageKeys;
  return Object.fromEntries(keys.map((key) => [key, parameters[key] ?? usual[key]]));
}

const secondKeys = ['duration_seconds', 'resolution', 'generate_audio'] as const;
const imageKeys = ['n', 'resolution'] as const;

/** Cost of one generation in credits, from the prices of GET /models; null if the model has no such price. */
export function priceOf(
  model: Pick<ModelEntry, 'pricing'>,
  parameters: PriceParameters,
): number | null {
  try {
    return priceCredits(model.pricing, pricedParameters(model, parameters) as PricedParameters);
  } catch {
    return null;
  }
}
