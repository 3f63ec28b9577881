import {
  imageResolutions,
  videoResolutions,
  type ImageParameters,
  type VideoParameters,
} from '@framegate/contract';
import Joi from 'joi';
import type { Money } from './route.ts';
import type { RouteSupport } from './routeSupport.ts';

/** A price in millionths, for every resolution or by resolution. */
export type PriceByResolution = number | Readonly<Record<string, number>>;

/** The operator's cost of a route, in millionths of `currency`; the given parts are added up. */
export interface RouteCost {
  currency: string;
  /** Per second of video. */
  perSecond?: PriceByResolution;
  /** Per image. */
  perImage?: PriceByResolution;
  /** Per call: one for a video, and as many as the order takes for images. */
  perCall?: number;
}

const microsPerUnit = 1_000_000;
/** Maximum of one price or budget, in units of its currency. */
const maxAmount = 1_000_000;

/** Converts a decimal number to millionths; null if it has more than six decimals or is out of range. */
export function toMicros(amount: number): number | null {
  const micros = Math.round(amount * microsPerUnit);
  // The number nearest to the millionths equals the amount only if the amount has at most six decimals.
  const isExact = micros / microsPerUnit === amount;
  return isExact && amount >= 0 && amount <= maxAmount ? micros : null;
}

const currency = Joi.string()
  .pattern(/^[A-Z]{3}$/, 'a currency of three capital letters, such as USD')
  .required();

const amount = Joi.number()
  .custom((value: number, helpers) => toMicros(value) ?? helpers.error('amount.exact'))
  .messages({
    'amount.exact': `must be an amount from 0 to ${String(maxAmount)} with at most six decimals`,
  });

const byResolution = (resolutions: readonly string[]) =>
  Joi.alternatives()
    .conditional(Joi.object(), {
      then: Joi.object(Object.fromEntries(resolutions.map((each) => [each, amount]))).min(1),
      otherwise: amount,
    })
    .messages({ 'number.base': 'must be an amount, or amounts by resolution' });

/** Schema of `cost`: converts a RouteCost from units of the currency to millionths. */
export const costSchema = Joi.object({
  currency,
  perSecond: byResolution(videoResolutions),
  perImage: byResolution(imageResolutions),
  perCall: amount,
});

/** Schema of `budget`: converts the maximum cost of a provider's orders per UTC day to Money. */
export const budgetSchema = Joi.object({ currency, perDay: amount.required() }).custom(
  (json: { currency: string; perDay: number }): Money => ({
    currency: json.currency,
    micros: json.perDay,
  }),
);

/**
 * Problems of a route's cost, by itself and in relation to its provider's budget.
 * @param at The route's JSON path. @param budgetAt That of its provider's budget.
 */
export function costProblems(
  cost: RouteCost | null,
  type: 'video' | 'image',
  budget: Money | null,
  [at, budgetAt]: readonly [string, string],
): string[] {
  if (!cost)
    return budget ? [`${at}.cost is needed: ${budgetAt} counts the cost of its orders.`] : [];
  const part = type === 'video' ? 'perSecond' : 'perImage';
  const problems: string[] = [];
  if (cost[part] === undefined && cost.perCall === undefined) {
    problems.push(`${at}.cost has no price for a ${type}: ${part} or perCall is needed.`);
  }
  if (budget && budget.currency !== cost.currency) {
    problems.push(`${at}.cost.currency must be ${budget.currency}, as in ${budgetAt}.`);
  }
  return problems;
}

/**
 * Requires known costs for everything that the routes of a provider with a budget make.
 * @throws Error naming the resolutions without a price.
 */
export function requirePrices(
  cost: RouteCost | null,
  budget: Money | null,
  type: 'video' | 'image',
  { resolutions }: Pick<RouteSupport, 'resolutions'>,
): void {
  const part = type === 'video' ? 'perSecond' : 'perImage';
  const price = cost?.[part];
  if (!budget || typeof price !== 'object') return;
  const all = type === 'video' ? videoResolutions : imageResolutions;
  const missing = (resolutions ?? all).filter((each) => !(each in price));
  if (missing.length === 0) return;
  throw new Error(
    `cost.${part} has no price for ${missing.join(', ')}, and the provider has a budget`,
  );
}

/** The cost of an order at a route; null if the route states no price for it. */
export function costOfOrder(
  cost: RouteCost | null,
  parameters: VideoParameters | ImageParameters,
  calls = 1,
): Money | null {
  if (cost === null) return null;
  const [price, count] =
    'duration_seconds' in parameters
      ? [cost.perSecond, parameters.duration_seconds]
      : [cost.perImage, parameters.n];
  if (price === undefined && cost.perCall === undefined) return null;
  const each = typeof price === 'object' ? price[parameters.resolution] : (price ?? 0);
  if (each === undefined) return null;
  return { currency: cost.currency, micros: each * count + (cost.perCall ?? 0) * calls };
}
