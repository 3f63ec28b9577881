import Joi from 'joi';
import {
  type ImageParameters,
  imageResolutions,
  type InputType,
  inputTypes,
  type VideoParameters,
  videoResolutions,
} from '@framegate/contract';
import type { Money, PixelSize, ProviderInput, ProviderRequest } from './route.ts';
import type { RouteSupport } from './routeSupport.ts';

/** A price in millionths, for every resolution or by resolution. */
export type PriceByResolution = number | Readonly<Record<string, number>>;

/** The operator's cost of a route, in millionths of `currency`; the given parts are added up. */
export interface RouteCost {
  currency: string;
  /** Per second of video. */
  perSecond?: PriceByResolution;
  /** Per second of video with sound, if that costs more. */
  perSecondWithSound?: PriceByResolution;
  /** Per image. */
  perImage?: PriceByResolution;
  /** Per million tokens: those that the provider reports, before that the estimate of `tokens`. */
  perMillionTokens?: PriceByResolution;
  /** Per million tokens of a video with sound, if that costs more. */
  perMillionTokensWithSound?: PriceByResolution;
  /**
   * Estimate of an order's tokens. Of a video: width x height x `fps` x seconds / `pixelsPerToken`, by default 24
   * frames and 1,024 pixels, as BytePlus documents for Seedance. Of images: as stated for each.
   */
  tokens?: { fps?: number; pixelsPerToken?: number; perImage?: number };
  /** Per million pixels of each image. */
  perMegapixel?: PriceByResolution;
  /** Per call: one for a video, and as many as the order takes for images. */
  perCall?: number;
  /** Per reference, by its type. */
  perReference?: Readonly<Partial<Record<InputType, number>>>;
  /** Per second of a reference, by its type. */
  perReferenceSecond?: Readonly<Partial<Record<'video' | 'audio', number>>>;
  /** Minimum charge per order. */
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

/** Schema of a currency. */
export const currencySchema = Joi.string().pattern(
  /^[A-Z]{3}$/,
  'a currency of three capital letters, such as USD',
);
const requiredCurrency = currencySchema.required();

const amount = Joi.number()
  .custom((value: number, helpers) => toMicros(value) ?? helpers.error('amount.exact'))
  .messages({
    'amount.exact': `must be an amount from 0 to ${maxAmount} with at most six decimals`,
  });

const byResolution = (resolutions: readonly string[]) =>
  Joi.alternatives()
    .conditional(Joi.object(), {
      then: Joi.object(Object.fromEntries(resolutions.map((each) => [each, amount]))).min(1),
      otherwise: amount,
    })
    .messages({ 'number.base': 'must be an amount, or amounts by resolution' });

const byType = (types: readonly string[]) =>
  Joi.object(Object.fromEntries(types.map((type) => [type, amount]))).min(1);
const amountsOfAnyType = byResolution([...videoResolutions, ...imageResolutions]);

/** Schema of `cost`: converts a RouteCost from units of the currency to millionths. */
export const costSchema = Joi.object({
  currency: requiredCurrency,
  perSecond: byResolution(videoResolutions),
  perSecondWithSound: byResolution(videoResolutions),
  perImage: byResolution(imageResolutions),
  perMillionTokens: amountsOfAnyType,
  perMillionTokensWithSound: byResolution(videoResolutions),
  tokens: Joi.object({
    fps: Joi.number().min(1).max(240),
    pixelsPerToken: Joi.number().min(1).max(1_000_000),
    perImage: Joi.number().integer().min(1).max(10_000_000),
  }).min(1),
  perMegapixel: byResolution(imageResolutions),
  perCall: amount,
  perReference: byType(inputTypes),
  perReferenceSecond: byType(['video', 'audio']),
  minimum: amount,
});

/** The prices of which an order of a type needs one, unless it has a price per call. */
const mainPrices = {
  video: ['perSecond', 'perMillionTokens'],
  image: ['perImage', 'perMegapixel', 'perMillionTokens'],
} as const;
const soundPrices = ['perSecondWithSound', 'perMillionTokensWithSound'] as const;

/** Schema of `budget`: converts the maximum cost of a provider's orders per UTC day to Money. */
export const budgetSchema = Joi.object({
  currency: requiredCurrency,
  perDay: amount.required(),
}).custom((json: { currency: string; perDay: number }): Money => ({
  currency: json.currency,
  micros: json.perDay,
}));

/**
 * Problems of a route's cost, by itself and in relation to its provider's budget.
 * @param at The route's JSON path.
 * @param budgetAt That of its provider's budget.
 */
export function costProblems(
  cost: RouteCost | null,
  type: 'video' | 'image',
  budget: Money | null,
  [at, budgetAt]: readonly [string, string],
): string[] {
  if (!cost) {
    return budget ? [`${at}.cost is needed: ${budgetAt} counts the cost of its orders.`] : [];
  }
  const problems: string[] = [];
  const prices = mainPrices[type];
  if (prices.every((name) => cost[name] === undefined) && cost.perCall === undefined) {
    const names = `${prices.join(', ')} or perCall`;
    problems.push(`${at}.cost has no price for a ${type}: ${names} is needed.`);
  }
  for (const name of soundPrices) {
    const plain = name === 'perSecondWithSound' ? 'perSecond' : 'perMillionTokens';
    if (cost[name] === undefined || (type === 'video' && cost[plain] !== undefined)) continue;
    problems.push(`${at}.cost.${name} is for videos, in addition to ${plain}.`);
  }
  if (cost.tokens && cost.perMillionTokens === undefined) {
    problems.push(`${at}.cost.tokens is for perMillionTokens.`);
  }
  if (type === 'image' && cost.perMillionTokens !== undefined && !cost.tokens?.perImage) {
    problems.push(`${at}.cost.tokens.perImage is needed to estimate the tokens of an image.`);
  }
  if (budget && budget.currency !== cost.currency) {
    problems.push(`${at}.cost.currency must be ${budget.currency}, as in ${budgetAt}.`);
  }
  return problems;
}

/**
 * Requires known costs for everything that the routes of a provider with a budget make, and costs in the currency of
 * the charges that a provider reports.
 * @throws Error naming the resolutions without a price, or the currency.
 */
export function requirePrices(
  cost: RouteCost | null,
  { budget, charged }: { budget: Money | null; charged: string | undefined },
  type: 'video' | 'image',
  { resolutions }: Pick<RouteSupport, 'resolutions'>,
): void {
  if (cost && charged !== undefined && charged !== cost.currency) {
    throw new Error(`cost.currency must be ${charged}, as in "charged" of the API's description`);
  }
  const all = resolutions ?? (type === 'video' ? videoResolutions : imageResolutions);
  for (const name of [...mainPrices[type], ...soundPrices]) {
    const price = cost?.[name];
    if (!budget || typeof price !== 'object') continue;
    const missing = all.filter((each) => !(each in price));
    if (missing.length === 0) continue;
    throw new Error(
      `cost.${name} has no price for ${missing.join(', ')}, and the provider has a budget`,
    );
  }
}

/** Quantities that determine an order's cost at a provider, in addition to its request. */
export interface OrderMeasures {
  calls: number;
  /** Size of each frame or image. */
  size: PixelSize;
  /** Tokens that the provider has reported, instead of an estimate. */
  tokens?: number | undefined;
}

/** The cost of an order at a route; null if the route states no price for it. */
export function costOfOrder(
  cost: RouteCost | null,
  { parameters, inputs }: PricedRequest,
  measures: OrderMeasures,
): Money | null {
  if (cost === null) return null;
  const { currency, perCall, perReference = {}, perReferenceSecond = {}, minimum = 0 } = cost;
  const priced = pricedUnits(cost, parameters, measures).filter(([price]) => price !== undefined);
  if (priced.length === 0 && perCall === undefined) return null;
  let micros = (perCall ?? 0) * measures.calls;
  for (const [price, count] of priced) {
    const each = typeof price === 'object' ? price[parameters.resolution] : price;
    if (each === undefined || count === null) return null;
    micros += each * count;
  }
  for (const { role, type, seconds = 0 } of inputs) {
    if (role !== 'reference') continue;
    micros += perReference[type] ?? 0;
    if (type !== 'image') micros += (perReferenceSecond[type] ?? 0) * seconds;
  }
  return { currency, micros: Math.max(Math.round(micros), minimum) };
}

/** The parts of a request that its cost depends on. */
interface PricedRequest extends Pick<ProviderRequest, 'parameters'> {
  inputs: readonly Pick<ProviderInput, 'role' | 'type' | 'seconds'>[];
}

/** The prices of an order's units with their numbers; null if the number is unknown. */
function pricedUnits(
  cost: RouteCost,
  parameters: VideoParameters | ImageParameters,
  { size, tokens }: OrderMeasures,
): [PriceByResolution | undefined, number | null][] {
  const { perSecond, perMillionTokens, tokens: rule = {} } = cost;
  const { fps = 24, pixelsPerToken = 1024, perImage: tokensPerImage } = rule;
  const pixels = size.width * size.height;
  if (!('duration_seconds' in parameters)) {
    const { n } = parameters;
    const millions = tokens ?? (tokensPerImage === undefined ? null : tokensPerImage * n);
    return [
      [cost.perImage, n],
      [cost.perMegapixel, (pixels * n) / 1e6],
      [perMillionTokens, millions === null ? null : millions / 1e6],
    ];
  }
  const { duration_seconds: seconds, generate_audio: hasSound } = parameters;
  const { perSecondWithSound = perSecond, perMillionTokensWithSound = perMillionTokens } = cost;
  const videoTokens = tokens ?? (pixels * fps * seconds) / pixelsPerToken;
  return [
    [hasSound ? perSecondWithSound : perSecond, seconds],
    [hasSound ? perMillionTokensWithSound : perMillionTokens, videoTokens / 1e6],
  ];
}
