import type { Money } from '@framegate/provider-routes';
import type { Attempt } from '../generations/attempt.ts';

/** Maximum amount, in millionths. */
const maxMicros = 1e12;

/** Formats an amount such as `1.25`, with two decimals or more if needed. */
export function formatMicros(micros: number): string {
  const digits = Math.abs(micros).toString().padStart(7, '0');
  const decimals = digits.slice(-6).replace(/0{1,4}$/, '');
  return `${micros < 0 ? '-' : ''}${digits.slice(0, -6)}.${decimals}`;
}

/** Formats an amount such as `1.25 USD`. */
export function formatMoney({ micros, currency }: Money): string {
  return `${formatMicros(micros)} ${currency}`;
}

/** Credits in money. @param creditValue Value of one credit. */
export const moneyOf = (credits: number, creditValue: Money): Money => ({
  ...creditValue,
  micros: credits * creditValue.micros,
});

/** Parses an amount such as `0.01 USD`. @throws Error naming the problem. */
export function parseMoney(text: string): Money {
  const [, units = '', decimals = '', currency = ''] =
    /^(\d{1,7})(?:\.(\d{1,6}))? ([A-Z]{3})$/.exec(text) ?? [];
  const micros = Number(units + decimals.padEnd(6, '0'));
  if (currency === '' || micros > maxMicros) {
    throw new Error('it is not an amount of at most six decimals and a currency');
  }
  return { currency, micros };
}

/**
 * Whether a provider charges for an attempt: `charged` for a finished result; `none` if nothing was ordered, or if the
 * provider reports or documents so; `possible` otherwise.
 */
export type Charge = 'charged' | 'possible' | 'none';

/** The known charge for an attempt. */
export function chargeOf({
  outcome,
  isFree,
  charged,
}: Pick<Attempt, 'isFree' | 'charged'> & { outcome: string }): Charge {
  if (isFree === true || charged?.micros === 0) return 'none';
  return outcome === 'completed' ? 'charged' : 'possible';
}

/** The cost of an attempt as its provider reports it, otherwise by the route's price; null if unknown. */
export const costOfAttempt = ({ charged, cost }: Pick<Attempt, 'charged' | 'cost'>): Money | null =>
  charged ?? cost;

/** A charge above this multiple of the estimate is an error of the provider or of its API description. */
const maxEstimateFactor = 100;

/** Whether a provider may have charged this for an order with this estimate. */
export function isPlausible(charged: Money, estimate: Money | null): boolean {
  if (estimate === null) return true;
  const isWithin = estimate.micros === 0 || charged.micros <= maxEstimateFactor * estimate.micros;
  return charged.currency === estimate.currency && isWithin;
}

/** Similar attempts of one day, by the day on which their generations ended. */
export interface CostLine {
  /** Day (UTC), such as `2026-11-22`. */
  day: string;
  provider: string;
  /** The provider's own model id. */
  providerModel: string;
  /** Framegate's model id. */
  model: string;
  charge: Charge;
  /** Whether its result was delivered. */
  isDelivered: boolean;
  /** Null if the cost is unknown. */
  currency: string | null;
  attempts: number;
  /** Total cost in millionths of the currency; 0 if unknown. */
  micros: number;
  /** Credits that customers paid, excluding refunds. */
  credits: number;
}

/** An expense, in millionths of a currency or in attempts. */
export interface Expense {
  /** Certain and possible charges. */
  cost: number;
  /** The portion that is only possibly charged. */
  possible: number;
  /** The portion that no customer paid for. */
  loss: number;
}

/** Costs and credits of some attempts. */
export interface CostSum {
  attempts: number;
  credits: number;
  /** Expenses by currency. */
  spent: ReadonlyMap<string, Expense>;
  /** Attempts of unknown cost. */
  unknown: Expense;
}

const nothing: Expense = { cost: 0, possible: 0, loss: 0 };

/** Adds up lines. Uncharged attempts cost nothing, whatever price was stated. */
export function sumCosts(lines: readonly CostLine[]): CostSum {
  const spent = new Map<string, Expense>();
  let [attempts, credits, unknown] = [0, 0, nothing];
  for (const line of lines) {
    attempts += line.attempts;
    credits += line.credits;
    if (line.charge === 'none') continue;
    if (line.currency === null) {
      unknown = withLine(unknown, line, line.attempts);
    } else {
      const before = spent.get(line.currency) ?? nothing;
      spent.set(line.currency, withLine(before, line, line.micros));
    }
  }
  return { attempts, credits, spent, unknown };
}

function withLine({ cost, possible, loss }: Expense, line: CostLine, amount: number): Expense {
  return {
    cost: cost + amount,
    possible: possible + (line.charge === 'possible' ? amount : 0),
    loss: loss + (line.isDelivered ? 0 : amount),
  };
}

/** Sums by the name that `nameOf` returns, most expensive first and then by name. */
export function costsBy(
  lines: readonly CostLine[],
  nameOf: (line: CostLine) => string,
): { name: string; sum: CostSum }[] {
  const groups = [...Map.groupBy(lines, nameOf)].map(([name, same]) => ({
    name,
    sum: sumCosts(same),
  }));
  const max = ({ spent }: CostSum) => Math.max(0, ...[...spent.values()].map(({ cost }) => cost));
  return groups.toSorted(
    (a, b) => max(b.sum) - max(a.sum) || (a.name < b.name ? -1 : Number(a.name > b.name)),
  );
}

/**
 * The margin: credits paid at their value, less certain and possible charges, in millionths. Null if a cost is unknown
 * or in another currency, or if the value is not set.
 */
export function marginOf({ credits, spent, unknown }: CostSum, value: Money | null): number | null {
  if (value === null || unknown.cost > 0) return null;
  if ([...spent.keys()].some((currency) => currency !== value.currency)) return null;
  return credits * value.micros - (spent.get(value.currency)?.cost ?? 0);
}
