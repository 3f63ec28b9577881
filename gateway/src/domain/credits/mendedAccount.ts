import type { Account } from '../accounts/account.ts';
import type { ApiKey } from '../accounts/apiKey.ts';
import { type Lot, nextExpiryOf } from './credits.ts';
import { monthsAfter } from './plan.ts';

/** State of an account derived from its ledger and generations. */
export interface DerivedState {
  lots: readonly Lot[];
  /** Granted months of its plan. */
  months: number;
  running: number;
  waiting: number;
  inFlightCredits: number;
  /** Minimum month counts of keys whose stored counts are too low, by key id. */
  spent: ReadonlyMap<string, NonNullable<ApiKey['monthSpent']>>;
}

/** One changed value of an account, human-readable. */
export interface MendedValue {
  field: string;
  from: unknown;
  to: unknown;
}

type DerivedFields = Pick<
  Account,
  'lots' | 'plan' | 'running' | 'waiting' | 'inFlightCredits' | 'keys'
>;

/**
 * Derives an account's fields from its ledger and its generations.
 * @param nextExpiryAt As stored; it follows from the lots and is written with them.
 * @returns The fields to write, and each value that differs; none if it is correct.
 */
export function mendedAccount(
  { lots, plan, running, waiting, inFlightCredits, keys }: DerivedFields,
  nextExpiryAt: number | null,
  derived: DerivedState,
): { fields: Partial<DerivedFields>; changes: MendedValue[] } {
  const changes: MendedValue[] = [];
  const fields: Partial<DerivedFields> = {};
  const differs = (field: string, from: unknown, to: unknown): boolean => {
    if (JSON.stringify(from) === JSON.stringify(to)) return false;
    changes.push({ field, from, to });
    return true;
  };

  const storedLots = new Map(lots.map((lot) => [lot.id, inOrder(lot)]));
  const right = new Map(derived.lots.map((lot) => [lot.id, inOrder(lot)]));
  const ids = [...new Set([...right.keys(), ...storedLots.keys()])];
  const changedLots = ids.filter((id) =>
    differs(`lot ${id}`, storedLots.get(id) ?? null, right.get(id) ?? null),
  );
  // Listed twice.
  if (storedLots.size < lots.length) differs('lots', lots.length, right.size);
  const isFoundWrong = differs('nextExpiryAt', nextExpiryAt, nextExpiryOf(derived.lots));
  if (changedLots.length > 0 || isFoundWrong || storedLots.size < lots.length) {
    fields.lots = [...right.values()];
  }

  if (plan) {
    const nextAt = plan.endedAt === null ? monthsAfter(plan.startedAt, derived.months) : null;
    const isWrong = [
      differs('plan.months', plan.months, derived.months),
      differs('plan.nextAt', plan.nextAt, nextAt),
    ].includes(true);
    if (isWrong) fields.plan = { ...plan, months: derived.months, nextAt };
  }

  if (differs('running', running, derived.running)) fields.running = derived.running;
  if (differs('waiting', waiting, derived.waiting)) fields.waiting = derived.waiting;
  if (differs('inFlightCredits', inFlightCredits, derived.inFlightCredits)) {
    fields.inFlightCredits = derived.inFlightCredits;
  }

  const raised = keys.map((key) => {
    const spent = derived.spent.get(key.id);
    if (!spent) return key;
    differs(`key ${key.id} monthSpent`, key.monthSpent ?? null, spent);
    return { ...key, monthSpent: spent };
  });
  if (raised.some((key, index) => key !== keys[index])) fields.keys = raised;
  return { fields, changes };
}

/** Sorts its fields, so that equal lots compare equal. */
const inOrder = ({ id, kind, amount, remaining, expiresAt, createdAt }: Lot): Lot => ({
  id,
  kind,
  amount,
  remaining,
  expiresAt,
  createdAt,
});
