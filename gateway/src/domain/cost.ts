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

/** Attempts of a day that are alike, of generations that ended on it. */
export interface CostLine {
  /** Day (UTC), such as `2026-11-22`. */
  day: string;
  provider: string;
  /** The provider's own model id. */
  upstream: string;
  /** Our model id. */
  model: string;
  charge: Charge;
  /** Whether its result was delivered. */
  delivered: boolean;
  /** Null: what they cost is not known. */
  currency: string | null;
  attempts: number;
  /** What they cost together, in millionths of the currency; 0 where that is not known. */
  micros: number;
  /** What customers paid for the results, in credits. */
  credits: number;
}

/** What was spent: in millionths of a currency, or in attempts. */
export interface Spent {
  /** All that is or may be charged. */
  cost: number;
  /** The part of it that may be charged. */
  possible: number;
  /** The part of it that no customer paid for. */
  loss: number;
}

/** The sum of some lines. */
export interface CostSum {
  attempts: number;
  credits: number;
  /** By currency. */
  spent: ReadonlyMap<string, Spent>;
  /** Attempts of which the cost is not known. */
  unknown: Spent;
}

const nothing: Spent = { cost: 0, possible: 0, loss: 0 };

/** Adds lines up. What is not charged costs nothing, whatever was stated. */
export function sumCosts(lines: readonly CostLine[]): CostSum {
  const spent = new Map<string, Spent>();
  let [attempts, credits, unknown] = [0, 0, nothing];
  for (const line of lines) {
    attempts += line.attempts;
    credits += line.credits;
    if (line.charge === 'none') continue;
    if (line.currency === null) unknown = withLine(unknown, line, line.attempts);
    else {
      const before = spent.get(line.currency) ?? nothing;
      spent.set(line.currency, withLine(before, line, line.micros));
    }
  }
  return { attempts, credits, spent, unknown };
}

function withLine({ cost, possible, loss }: Spent, line: CostLine, amount: number): Spent {
  return {
    cost: cost + amount,
    possible: possible + (line.charge === 'possible' ? amount : 0),
    loss: loss + (line.delivered ? 0 : amount),
  };
}

/** Sums by what `nameOf` says, the dearest first; names decide between equals. */
export function costsBy(
  lines: readonly CostLine[],
  nameOf: (line: CostLine) => string,
): { name: string; sum: CostSum }[] {
  const groups = [...Map.groupBy(lines, nameOf)].map(([name, same]) => ({
    name,
    sum: sumCosts(same),
  }));
  const most = ({ spent }: CostSum) => Math.max(0, ...[...spent.values()].map(({ cost }) => cost));
  return groups.toSorted(
    (a, b) => most(b.sum) - most(a.sum) || (a.name < b.name ? -1 : Number(a.name > b.name)),
  );
}

/**
 * What is left of what customers paid: credits at their value, less all that is or may be charged. Null
 * where a cost is not known or in another currency, or the value is not set.
 */
export function marginOf({ credits, spent, unknown }: CostSum, value: Money | null): number | null {
  if (value === null || unknown.cost > 0) return null;
  if ([...spent.keys()].some((currency) => currency !== value.currency)) return null;
  return credits * value.micros - (spent.get(value.currency)?.cost ?? 0);
}
