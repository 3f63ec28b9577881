import {
  imageResolutions,
  inputTypes,
  videoResolutions,
  type ImageParameters,
  type InputType,
  type VideoParameters,
} from '@framegate/contract';
import Joi from 'joi';
import type { Money, ProviderInput, ProviderRequest } from './route.ts';
import type { RouteSupport } from './routeSupport.ts';

/** A price in millionths, for every resolution or by resolution. */
export type PriceByResolution = number | Readonly<Record<string, number>>;

/** The operator's cost of a route, in millionths of `currency`; the given parts are added up. */
export interface RouteCost {
  currency: string;
  /** Per second of video. */
  perSecond?: PriceByResolution;
  /** The same with sound, if that is dearer. */
  perSecondWithSound?: PriceByResolution;
  /** Per image. */
  perImage?: PriceByResolution;
  /** Per call: one for a video, and as many as the order takes for images. */
  perCall?: number;
  /** Per reference, by its type. */
  perReference?: Readonly<Partial<Record<InputType, number>>>;
  /** The least that an order costs. */
  minimum?: number;
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
  perSecondWithSound: byResolution(videoResolutions),
  perImage: byResolution(imageResolutions),
  perCall: amount,
  perReference: Joi.object(Object.fromEntries(inputTypes.map((type) => [type, amount]))).min(1),
  minimum: amount,
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
  if (cost.perSecondWithSound !== undefined && (type === 'image' || cost.perSecond === undefined)) {
    problems.push(`${at}.cost.perSecondWithSound is for videos, beside perSecond.`);
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
  const all = resolutions ?? (type === 'video' ? videoResolutions : imageResolutions);
  for (const name of [part, 'perSecondWithSound'] as const) {
    const price = cost?.[name];
    if (!budget || typeof price !== 'object') continue;
    const missing = all.filter((each) => !(each in price));
    if (missing.length === 0) continue;
    throw new Error(
      `cost.${name} has no price for ${missing.join(', ')}, and the provider has a budget`,
    );
  }
}

/** The cost of an order at a route; null if the route states no price for it. */
export function costOfOrder(
  cost: RouteCost | null,
  { parameters, inputs }: PricedRequest,
  calls = 1,
): Money | null {
  if (cost === null) return null;
  const { currency, perCall, perReference = {}, minimum = 0 } = cost;
  const [price, count] = priceOf(cost, parameters);
  if (price === undefined && perCall === undefined) return null;
  const each = typeof price === 'object' ? price[parameters.resolution] : (price ?? 0);
  if (each === undefined) return null;
  const ofReferences = inputs
    .filter(({ role }) => role === 'reference')
    .reduce((sum, { type }) => sum + (perReference[type] ?? 0), 0);
  const micros = each * count + (perCall ?? 0) * calls + ofReferences;
  return { currency, micros: Math.max(micros, minimum) };
}

/** The parts of a request that its cost depends on. */
interface PricedRequest extends Pick<ProviderRequest, 'parameters'> {
  inputs: readonly Pick<ProviderInput, 'role' | 'type'>[];
}

/** The price of an order's unit, and the number of its units. */
function priceOf(
  { perSecond, perSecondWithSound = perSecond, perImage }: RouteCost,
  parameters: VideoParameters | ImageParameters,
): [PriceByResolution | undefined, number] {
  if (!('duration_seconds' in parameters)) return [perImage, parameters.n];
  const { duration_seconds: seconds, generate_audio: hasSound } = parameters;
  return [hasSound ? perSecondWithSound : perSecond, seconds];
}
