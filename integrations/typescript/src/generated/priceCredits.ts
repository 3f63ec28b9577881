/* Generated from the gateway's contract by "npm run generate": do not edit. */

import type { ImagePricing, VideoPricing } from './api.ts';

/** Pricing without its examples: sufficient for computing a price. */
export type PricingRule = Omit<VideoPricing, 'examples'> | Omit<ImagePricing, 'examples'>;

/** Parameters that determine the price. */
export interface PricedParameters {
  resolution: string;
  duration_seconds?: number;
  generate_audio?: boolean;
  n?: number;
}

/**
 * Computes the price of one generation in credits, from the pricing on the wire and the effective parameters.
 * Uses integers only and rounds the total up once. This is the only price function.
 * @throws RangeError if the resolution has no price or a number is not a positive integer.
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

/** Exact product of two positive integers. @throws RangeError if it is not exact. */
function product(a: number, b: number): number {
  const result = a * b;
  if (!isPositive(a) || !isPositive(b) || !Number.isSafeInteger(result)) {
    throw new RangeError(`not a price: ${a} times ${b}`);
  }
  return result;
}

/** Quotient rounded up; exact, because the remainder is subtracted first. */
function dividedUp(dividend: number, divisor: number): number {
  if (!isPositive(divisor)) throw new RangeError(`not a divisor: ${divisor}`);
  const rest = dividend % divisor;
  return rest === 0 ? dividend / divisor : (dividend - rest) / divisor + 1;
}

function isPositive(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
