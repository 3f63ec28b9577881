import type { Charge, Money } from './cost.ts';

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
