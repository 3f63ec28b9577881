import { priceCredits, type ModelEntry, type PricedParameters } from './generated/contract.ts';

/** Parameters that decide a price: those of a body, where empty fields are missing. */
export type GivenParameters = { [K in keyof PricedParameters]?: PricedParameters[K] | undefined };

/** The parameters that the price of this model depends on, with its usual values where none is given. */
export function pricedParameters(
  { pricing }: Pick<ModelEntry, 'pricing'>,
  given: GivenParameters,
): GivenParameters {
  // The first example of a price is that of the usual values.
  const usual: GivenParameters = pricing.examples[0]?.parameters ?? {};
  const keys = pricing.per === 'second' ? secondKeys : imageKeys;
  return Object.fromEntries(keys.map((key) => [key, given[key] ?? usual[key]]));
}

const secondKeys = ['duration_seconds', 'resolution', 'generate_audio'] as const;
const imageKeys = ['n', 'resolution'] as const;

/** Credits of one generation, from the prices of GET /models; null when the model has no such price. */
export function priceOf(model: Pick<ModelEntry, 'pricing'>, given: GivenParameters): number | null {
  try {
    return priceCredits(model.pricing, pricedParameters(model, given) as PricedParameters);
  } catch {
    return null;
  }
}
