import { UsageError } from './errors.ts';
import type { ImageParameters, Model, VideoParameters } from './generated/api.ts';
import { priceCredits } from './generated/priceCredits.ts';

/** Parameters that determine a price; other parameters of a create request are ignored. */
export type PriceParameters = VideoParameters | ImageParameters;

/**
 * The cost of a generation in credits, computed locally and equal to the charge.
 * @param model A model from `models.list()`, which has this account's prices.
 * @param parameters The create request's parameters; the model's defaults replace missing ones.
 * @throws UsageError for values that the model does not offer.
 */
export function price(model: Model, parameters: PriceParameters = {}): number {
  const { id, capabilities, pricing } = model;
  // The first price example has the default values. In JSON, undefined is missing.
  const defined = JSON.parse(JSON.stringify(parameters)) as VideoParameters & ImageParameters;
  const all = { resolution: '', ...pricing.examples[0]?.parameters, ...defined };
  const notOfferedError = (message: string) => new UsageError('not_offered', `${id} ${message}.`);
  if (!Object.hasOwn(pricing.credits, all.resolution)) {
    throw notOfferedError(`offers the resolutions ${Object.keys(pricing.credits).join(', ')}`);
  }
  const [unit, range] =
    pricing.per === 'second'
      ? (['duration_seconds', capabilities.duration_seconds] as const)
      : (['n', capabilities.n] as const);
  const units = all[unit];
  if (
    range &&
    !(Number.isInteger(units) && Number(units) >= range.min && Number(units) <= range.max)
  ) {
    throw notOfferedError(`takes ${unit} from ${range.min} to ${range.max}`);
  }
  if (all.generate_audio === true && !capabilities.generate_audio) {
    throw notOfferedError('makes no sound');
  }
  return priceCredits(pricing, all);
}
