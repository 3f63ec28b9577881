import { dayMs, type LedgerEntryKind, type LotKind, lotKinds, sum } from '@framegate/contract';

/** Reason of the ledger entry for a new account's credits. */
export const welcomeReason = 'Welcome credits';

export { lotKinds, type LedgerEntryKind, type LotKind };

/** Lifetime of the lot with which a refund replaces an expired one, in ms. */
export const refundLotMs = 30 * dayMs;

/** Credits granted together. Amounts in credits, times in ms since the epoch. */
export interface Lot {
  id: string;
  kind: LotKind;
  amount: number;
  remaining: number;
  expiresAt: number | null;
  createdAt: number;
}

/** One lot's part of a ledger entry: credits taken (negative) or given (positive). */
export interface LotMovement {
  lotId: string;
  kind: LotKind;
  amount: number;
  expiresAt: number | null;
}

/** The lots after a change, and its movements. */
export interface LotChange {
  lots: Lot[];
  movements: LotMovement[];
}

const isUnexpired = (lot: Pick<Lot, 'expiresAt'>, nowMs: number) =>
  lot.expiresAt === null || lot.expiresAt > nowMs;

/** Credits spendable at `nowMs`; a lot cannot be spent from its expiry. */
export function availableCredits(lots: readonly Lot[], nowMs: number): number {
  return balanceOf(lots.filter((lot) => isUnexpired(lot, nowMs)));
}

/** The next expiry among lots that hold credits, in ms since the epoch; null if none expires. */
export function nextExpiryOf(lots: readonly Lot[]): number | null {
  const times = lots.flatMap(({ remaining, expiresAt }) =>
    remaining > 0 && expiresAt !== null ? [expiresAt] : [],
  );
  return times.length === 0 ? null : Math.min(...times);
}

/** The ledger's balance: all credits not yet taken out, including expired ones. */
export function balanceOf(lots: readonly Lot[]): number {
  return sum(lots.map((lot) => lot.remaining));
}

/**
 * Order of use, as on the operator's main site (PC): soonest expiry first, lots without expiry last; then promotional,
 * subscription, purchased; then oldest first.
 */
export function compareLots(a: Lot, b: Lot): number {
  const expiry = (a.expiresAt ?? Infinity) - (b.expiresAt ?? Infinity);
  if (!Number.isNaN(expiry) && expiry !== 0) return expiry;
  const kind = lotKinds.indexOf(a.kind) - lotKinds.indexOf(b.kind);
  if (kind !== 0) return kind;
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

/** The lots with spendable credits at `nowMs`, in the order of use. */
export function spendableLots(lots: readonly Lot[], nowMs: number): Lot[] {
  return lots.filter((lot) => lot.remaining > 0 && isUnexpired(lot, nowMs)).toSorted(compareLots);
}

const lotMovement = (lot: Lot, amount: number): LotMovement => ({
  lotId: lot.id,
  kind: lot.kind,
  amount,
  expiresAt: lot.expiresAt,
});

/** Takes `cost` credits from the lots in order; null if the unexpired lots hold fewer. @throws RangeError */
export function takeCredits(lots: readonly Lot[], cost: number, nowMs: number): LotChange | null {
  if (!Number.isSafeInteger(cost) || cost <= 0) throw new RangeError(`not a cost: ${cost}`);
  let remaining = cost;
  const takenByLot = new Map<string, number>();
  for (const lot of spendableLots(lots, nowMs)) {
    const part = Math.min(remaining, lot.remaining);
    takenByLot.set(lot.id, part);
    remaining -= part;
    if (remaining === 0) break;
  }
  if (remaining > 0) return null;
  return {
    lots: lots.map((lot) => ({ ...lot, remaining: lot.remaining - (takenByLot.get(lot.id) ?? 0) })),
    movements: lots.flatMap((lot) => {
      const part = takenByLot.get(lot.id);
      return part === undefined ? [] : [lotMovement(lot, -part)];
    }),
  };
}

/** Takes credits of one lot, up to an amount; null if nothing is left of it. */
export function takeFromLot(lots: readonly Lot[], lotId: string, max: number): LotChange | null {
  const lot = lots.find(({ id }) => id === lotId);
  const part = Math.min(max, lot?.remaining ?? 0);
  if (!lot || part === 0) return null;
  return {
    lots: lots.map((each) => ({ ...each, remaining: each.remaining - (each === lot ? part : 0) })),
    movements: [lotMovement(lot, -part)],
  };
}

/**
 * Adds credits: to an unspent lot of the same kind and expiry, so that many small amounts cost no more than one, else
 * as a new lot.
 */
export function addCredits(
  lots: readonly Lot[],
  { id, kind, amount, expiresAt, createdAt }: Omit<Lot, 'remaining'>,
): LotChange {
  const home = lots.find(
    (lot) =>
      lot.remaining > 0 &&
      lot.kind === kind &&
      lot.expiresAt === expiresAt &&
      Number.isSafeInteger(lot.amount + amount),
  );
  const growLot = (lot: Lot): Lot => ({
    ...lot,
    amount: lot.amount + amount,
    remaining: lot.remaining + amount,
  });
  return {
    lots: home
      ? lots.map((lot) => (lot === home ? growLot(lot) : lot))
      : [...lots, { id, kind, amount, remaining: amount, expiresAt, createdAt }],
    movements: [{ lotId: home?.id ?? id, kind, amount, expiresAt }],
  };
}

/**
 * Returns the movements of a charge to the lots that paid. Expired lots stay closed and are replaced by one lot of the
 * same kind, valid for 30 days. A spent lot that was dropped from the account returns under its own id.
 * @param newLotId Makes the id of a replacement lot.
 */
export function refundCredits(
  lots: readonly Lot[],
  charge: readonly LotMovement[],
  nowMs: number,
  newLotId: () => string,
): LotChange {
  const after = lots.map((lot) => ({ ...lot }));
  const movements: LotMovement[] = [];
  const expired = new Map<LotKind, number>();
  const openLot = (id: string, kind: LotKind, amount: number, expiresAt: number | null) =>
    after.push({ id, kind, amount, remaining: amount, expiresAt, createdAt: nowMs });
  for (const movement of charge) {
    const { lotId, kind, expiresAt } = movement;
    const amount = -movement.amount;
    if (!isUnexpired(movement, nowMs)) {
      expired.set(kind, (expired.get(kind) ?? 0) + amount);
      continue;
    }
    const home = after.find(({ id }) => id === lotId);
    if (home) home.remaining += amount;
    else openLot(lotId, kind, amount, expiresAt);
    movements.push({ ...movement, amount });
  }
  for (const [kind, amount] of expired) {
    const [lotId, expiresAt] = [newLotId(), nowMs + refundLotMs];
    openLot(lotId, kind, amount, expiresAt);
    movements.push({ lotId, kind, amount, expiresAt });
  }
  return { lots: after, movements };
}

/** The earliest expiry of the lots that paid, in ms since the epoch; undefined if none expires. */
export function firstExpiryOf(charge: readonly LotMovement[]): number | undefined {
  const times = charge.flatMap(({ expiresAt }) => (expiresAt === null ? [] : [expiresAt]));
  return times.length > 0 ? Math.min(...times) : undefined;
}

/** Empties expired lots; null if nothing has expired. */
export function expireLots(lots: readonly Lot[], nowMs: number): LotChange | null {
  const expired = lots.filter((lot) => lot.remaining > 0 && !isUnexpired(lot, nowMs));
  if (expired.length === 0) return null;
  return {
    lots: lots.map((lot) => (expired.includes(lot) ? { ...lot, remaining: 0 } : { ...lot })),
    movements: expired.map((lot) => lotMovement(lot, -lot.remaining)),
  };
}

/** Maximum spent lots that an account keeps. */
export const maxSpentLots = 50;

/** Drops all but the newest `maxKept` spent lots; a refund can restore a dropped lot from its ledger entry. */
export function pruneSpentLots(lots: readonly Lot[], maxKept = maxSpentLots): Lot[] {
  const spent = lots
    .filter((lot) => lot.remaining === 0)
    .toSorted((a, b) => b.createdAt - a.createdAt);
  const dropped = new Set(spent.slice(maxKept).map((lot) => lot.id));
  return lots.filter((lot) => !dropped.has(lot.id));
}

const operatorPrefix = 'operator ';

/**
 * The reference of an operator's entry: a command's idempotency key, or the operator API's reference. They share one
 * namespace, so a payment is granted once whichever way it comes.
 */
export const operatorReference = (key: string) => operatorPrefix + key;

/** The operator's part of a reference; null for references of the console and of this gateway. */
export const ownReference = (reference: string | undefined): string | null =>
  reference?.startsWith(operatorPrefix) === true ? reference.slice(operatorPrefix.length) : null;

/** The reference of an entry made by a form of the staff console; undefined for a form without an id. */
export const formReference = (formId: string | null) =>
  formId === null ? undefined : `form ${formId}`;

/** The id of a ledger entry; ids sort in the order of numbers. */
export function ledgerEntryId(accountId: string, number: number): string {
  return `${accountId}.${String(number).padStart(12, '0')}`;
}
