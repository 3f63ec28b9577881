import type { ModelEntry } from './generated/wire.ts';
import type { ImageModel, Model, VideoModel } from './model.ts';
import { priceCredits, type PricedParameters, type PricingRule } from './priceCredits.ts';

/** Maximum price of one second or image, in credits; keeps all products within safe integers. */
export const maxPriceCredits = 1_000_000;

/** The price of a model. */
export type Pricing = ModelEntry['pricing'];

/** `pricing` object of GET /models, from which clients compute exact costs. */
export function pricingOf(model: Model): Pricing {
  return model.type === 'video' ? videoPricing(model) : imagePricing(model);
}

function videoPricing(model: VideoModel): Pricing {
  const rule = {
    unit: 'credits',
    per: 'second',
    credits: pricesOf(model.resolutions, model.creditsPerSecond),
    audio: { ...model.audioFactor },
    rounding: 'up',
  } as const;
  const usual = {
    duration_seconds: model.duration.default,
    resolution: model.defaults.resolution,
    generate_audio: model.defaults.generateAudio,
  };
  const max = {
    duration_seconds: model.duration.max,
    resolution: model.resolutions.at(-1) ?? usual.resolution,
    generate_audio: model.generateAudio,
  };
  return { ...rule, examples: examples(rule, [usual, max]) };
}

function imagePricing(model: ImageModel): Pricing {
  const rule = {
    unit: 'credits',
    per: 'image',
    credits: pricesOf(model.resolutions, model.creditsPerImage),
    rounding: 'up',
  } as const;
  const usual = { n: model.defaults.n, resolution: model.defaults.resolution };
  const max = { n: model.n.max, resolution: model.resolutions.at(-1) ?? usual.resolution };
  return { ...rule, examples: examples(rule, [usual, max]) };
}

/** Prices of the offered resolutions, from smallest to largest. */
function pricesOf<R extends string>(
  resolutions: readonly R[],
  prices: Readonly<Partial<Record<R, number>>>,
): Record<string, number> {
  return Object.fromEntries(
    resolutions.flatMap((resolution) => {
      const credits = prices[resolution];
      return credits === undefined ? [] : [[resolution, credits]];
    }),
  );
}

function examples<P extends PricedParameters>(rule: PricingRule, cases: readonly P[]) {
  return cases.map((parameters) => ({ parameters, cost_credits: priceCredits(rule, parameters) }));
}
