import type { ImageParameters, VideoParameters } from '@framegate/contract';

/** An amount in millionths of a currency's unit: whole numbers, so that sums are exact. */
export interface Money {
  /** Three capital letters, as in ISO 4217. */
  currency: string;
  micros: number;
}

/** A price in millionths for every resolution, or for each that is named. */
export type PriceByResolution = number | ReadonlyMap<string, number>;

/** What a route costs the operator, in millionths of `currency`; the parts that are given are added up. */
export interface RouteCost {
  currency: string;
  /** For each second of video. */
  perSecond: PriceByResolution | null;
  /** For each image. */
  perImage: PriceByResolution | null;
  /** For each call: one for a video, and for images as many as the order takes. */
  perCall: number | null;
}

const microsPerUnit = 1_000_000;
/** The most that one price or budget may be, in units of its currency. */
export const maxAmount = 1_000_000;

/** A decimal number as millionths; null where it has more than six decimals, or is out of range. */
export function toMicros(amount: number): number | null {
  const micros = Math.round(amount * microsPerUnit);
  // The nearest number to the millionths is the amount itself when it has six decimals at most.
  const isExact = micros / microsPerUnit === amount;
  return isExact && amount >= 0 && amount <= maxAmount ? micros : null;
}

/** What an order costs at a route; null: unknown, since the route says nothing of such an order. */
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
  if (price === null && cost.perCall === null) return null;
  const each = price === null ? 0 : priceAt(price, parameters.resolution);
  if (each === null) return null;
  return { currency: cost.currency, micros: each * count + (cost.perCall ?? 0) * calls };
}

function priceAt(price: PriceByResolution, resolution: string): number | null {
  return typeof price === 'number' ? price : (price.get(resolution) ?? null);
}

/** `1.25`: an amount with two decimals, or more where it has more. */
export function formatMicros(micros: number): string {
  const digits = Math.abs(micros).toString().padStart(7, '0');
  const decimals = digits.slice(-6).replace(/0{1,4}$/, '');
  return `${micros < 0 ? '-' : ''}${digits.slice(0, -6)}.${decimals}`;
}

/** `1.25 USD`. */
export function formatMoney({ micros, currency }: Money): string {
  return `${formatMicros(micros)} ${currency}`;
}

/** Reads `0.01 USD`. @throws Error that says what is wrong. */
export function parseMoney(text: string): Money {
  const [, amount = '', currency = ''] = /^(\d{1,7}(?:\.\d{1,6})?) ([A-Z]{3})$/.exec(text) ?? [];
  const micros = amount === '' ? null : toMicros(Number(amount));
  if (micros === null)
    throw new Error('it is not an amount of at most six decimals and a currency');
  return { currency, micros };
}

/**
 * Whether a provider charges for an attempt: `charged` for what it has made, `none` where nothing was ordered
 * or the provider's documentation says so, and otherwise `possible`.
 */
export type Charge = 'charged' | 'possible' | 'none';

/** What is known of the charge for an attempt. */
export function chargeOf({ outcome, isFree }: { outcome: string; isFree?: boolean }): Charge {
  if (isFree === true) return 'none';
  return outcome === 'completed' ? 'charged' : 'possible';
}
