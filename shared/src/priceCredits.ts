import type { ImagePricing, VideoPricing } from './wireModels.ts';

/** A pricing without its worked examples: all that a price needs. */
export type PricingRule = Omit<VideoPricing, 'examples'> | Omit<ImagePricing, 'examples'>;

/** What `priceCredits` reads of the parameters. */
export interface PricedParameters {
  resolution: string;
  duration_seconds?: number;
  generate_audio?: boolean;
  n?: number;
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
