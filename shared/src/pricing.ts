import type { ImageModel, Model, VideoModel } from './model.ts';
import type { PricedParameters, Pricing, PricingRule, VideoPricing } from './wire.ts';

/** Sound costs a quarter more. */
const audio: VideoPricing['audio'] = { numerator: 5, denominator: 4 };

/** The `pricing` object of GET /models: a client computes the exact cost from it alone. */
export function pricingOf(model: Model): Pricing {
  return model.type === 'video' ? videoPricing(model) : imagePricing(model);
}

/**
 * The one price function: integer credits for one generation, from the wire pricing and the
 * effective parameters. Whole numbers throughout; the single rounding is upwards on the whole.
 * @throws RangeError when the resolution has no price, or a number is not a positive whole one.
 */
export function priceCredits(pricing: PricingRule, parameters: PricedParameters): number {
  const { resolution } = parameters;
  const credits = Object.hasOwn(pricing.credits, resolution)
    ? pricing.credits[resolution]
    : undefined;
  if (credits === undefined) throw new RangeError(`no price for resolution ${resolution}`);
  const units = pricing.per === 'second' ? parameters.duration_seconds : parameters.n;
  if (units === undefined) throw new RangeError(`priced per ${pricing.per}, but none is given`);
  const base = product(credits, units);
  if (pricing.per !== 'second' || parameters.generate_audio !== true) return base;
  const { numerator, denominator } = pricing.audio;
  return dividedUp(product(base, numerator), denominator);
}

function videoPricing(model: VideoModel): Pricing {
  const rule = {
    unit: 'credits',
    per: 'second',
    credits: pricesOf(model.resolutions, model.creditsPerSecond),
    audio,
    rounding: 'up',
  } as const;
  const usual = {
    duration_seconds: model.duration.default,
    resolution: model.defaults.resolution,
    generate_audio: model.defaults.generateAudio,
  };
  const most = {
    duration_seconds: model.duration.max,
    resolution: model.resolutions.at(-1) ?? usual.resolution,
    generate_audio: model.generateAudio,
  };
  return { ...rule, examples: examples(rule, [usual, most]) };
}

function imagePricing(model: ImageModel): Pricing {
  const rule = {
    unit: 'credits',
    per: 'image',
    credits: pricesOf(model.resolutions, model.creditsPerImage),
    rounding: 'up',
  } as const;
  const usual = { n: model.defaults.n, resolution: model.defaults.resolution };
  const most = { n: model.n.max, resolution: model.resolutions.at(-1) ?? usual.resolution };
  return { ...rule, examples: examples(rule, [usual, most]) };
}

/** Prices of the offered resolutions, from the smallest resolution to the largest. */
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

/** Product of two positive whole numbers, exact or refused. */
function product(a: number, b: number): number {
  const result = a * b;
  if (!isPositive(a) || !isPositive(b) || !Number.isSafeInteger(result)) {
    throw new RangeError(`not a price: ${String(a)} times ${String(b)}`);
  }
  return result;
}

/** Quotient rounded up; both divisions leave no fraction, so the result is exact. */
function dividedUp(dividend: number, divisor: number): number {
  if (!isPositive(divisor)) throw new RangeError(`not a divisor: ${String(divisor)}`);
  const rest = dividend % divisor;
  return rest === 0 ? dividend / divisor : (dividend - rest) / divisor + 1;
}

function isPositive(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
