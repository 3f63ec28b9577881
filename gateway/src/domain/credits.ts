/** The kinds of credit lots, in the order in which they are used when expiry is equal. */
export const lotKinds = ['promotional', 'subscription', 'purchased'] as const;
/** A kind of credit lot. */
export type LotKind = (typeof lotKinds)[number];

/** Lifetime of a lot that a refund opens in place of an expired one, in ms: 30 days. */
export const refundLotMs = 30 * 24 * 3600 * 1000;

/** Credits granted at once, used up together. Amounts in credits, times in ms since the epoch. */
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

/** Lots after a movement, and the movements themselves. */
export interface LotChange {
  lots: Lot[];
  movements: LotMovement[];
}

const isLive = (lot: Pick<Lot, 'expiresAt'>, nowMs: number) =>
  lot.expiresAt === null || lot.expiresAt > nowMs;

/** Credits that can be spent at this moment: an expired lot cannot be spent from that moment on. */
export function availableCredits(lots: readonly Lot[], nowMs: number): number {
  return lots.reduce((sum, lot) => sum + (isLive(lot, nowMs) ? lot.remaining : 0), 0);
}

/** When the first lot that still holds credits expires, in ms since the epoch; null: never. */
export function nextExpiryOf(lots: readonly Lot[]): number | null {
  const times = lots.flatMap(({ remaining, expiresAt }) =>
    remaining > 0 && expiresAt !== null ? [expiresAt] : [],
  );
  return times.length === 0 ? null : Math.min(...times);
}

/** All credits that the ledger has not taken out yet, expired or not: what the ledger sums up to. */
export function balanceOf(lots: readonly Lot[]): number {
  return lots.reduce((sum, lot) => sum + lot.remaining, 0);
}

/**
 * Order of consumption, the same as PC: the soonest to expire first, lots without expiry last; then
 * promotional, subscription, purchased; then the oldest.
 */
export function compareLots(a: Lot, b: Lot): number {
  const expiry = (a.expiresAt ?? Infinity) - (b.expiresAt ?? Infinity);
  if (!Number.isNaN(expiry) && expiry !== 0) return expiry;
  const kind = lotKinds.indexOf(a.kind) - lotKinds.indexOf(b.kind);
  if (kind !== 0) return kind;
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

const moved = (lot: Lot, amount: number): LotMovement => ({
  lotId: lot.id,
  kind: lot.kind,
  amount,
  expiresAt: lot.expiresAt,
});

/** Takes `cost` credits from the lots in order; null when the live lots do not hold as much. */
export function takeCredits(lots: readonly Lot[], cost: number, nowMs: number): LotChange | null {
  if (!Number.isSafeInteger(cost) || cost <= 0) throw new RangeError(`not a cost: ${cost}`);
  let open = cost;
  const taken = new Map<string, number>();
  for (const lot of lots.filter((each) => isLive(each, nowMs)).toSorted(compareLots)) {
    const part = Math.min(open, lot.remaining);
    if (part > 0) taken.set(lot.id, part);
    open -= part;
    if (open === 0) break;
  }
  if (open > 0) return null;
  return {
    lots: lots.map((lot) => ({ ...lot, remaining: lot.remaining - (taken.get(lot.id) ?? 0) })),
    movements: lots.flatMap((lot) => {
      const part = taken.get(lot.id);
      return part === undefined ? [] : [moved(lot, -part)];
    }),
  };
}

/**
 * Gives the movements of a charge back to the very lots. A lot that expired meanwhile stays closed: a
 * refund lot of the same kind with 30 days is opened instead. A spent lot that is no longer kept in
 * the account comes back under its own id.
 * @param newLotId Makes the id of a refund lot.
 */
export function refundCredits(
  lots: readonly Lot[],
  charge: readonly LotMovement[],
  nowMs: number,
  newLotId: () => string,
): LotChange {
  const after = lots.map((lot) => ({ ...lot }));
  const movements: LotMovement[] = [];
  for (const taken of charge) {
    const amount = -taken.amount;
    const home = after.find((lot) => lot.id === taken.lotId);
    if (isLive(taken, nowMs) && home) {
      home.remaining += amount;
      movements.push(moved(home, amount));
      continue;
    }
    const live = isLive(taken, nowMs);
    const lot: Lot = {
      id: live ? taken.lotId : newLotId(),
      kind: taken.kind,
      amount,
      remaining: amount,
      expiresAt: live ? taken.expiresAt : nowMs + refundLotMs,
      createdAt: nowMs,
    };
    after.push(lot);
    movements.push(moved(lot, amount));
  }
  return { lots: after, movements };
}

/** Empties lots that have expired; null when there is nothing to take out. */
export function expireLots(lots: readonly Lot[], nowMs: number): LotChange | null {
  const gone = lots.filter((lot) => lot.remaining > 0 && !isLive(lot, nowMs));
  if (gone.length === 0) return null;
  return {
    lots: lots.map((lot) => (gone.includes(lot) ? { ...lot, remaining: 0 } : { ...lot })),
    movements: gone.map((lot) => moved(lot, -lot.remaining)),
  };
}

/** Drops the oldest spent lots beyond `kept`: a refund can bring one back from its ledger entry. */
export function pruneSpentLots(lots: readonly Lot[], kept = 50): Lot[] {
  const spent = lots
    .filter((lot) => lot.remaining === 0)
    .toSorted((a, b) => b.createdAt - a.createdAt);
  const dropped = new Set(spent.slice(kept).map((lot) => lot.id));
  return lots.filter((lot) => !dropped.has(lot.id));
}

/** What an entry records. A grant, an expiry and an adjustment create or destroy credits, no other does. */
export type LedgerEntryKind = 'grant' | 'charge' | 'refund' | 'expiry' | 'adjustment';

/**
 * One line of the append-only ledger; the balance is derivable from it alone.
 * Amounts in credits, times in ms since the epoch.
 */
export interface LedgerEntry {
  /** The account's id and the number: two entries cannot have the same number. */
  id: string;
  accountId: string;
  /** 1, 2, 3 … without a gap within an account. */
  number: number;
  kind: LedgerEntryKind;
  /** Sum of the movements: negative takes credits away. */
  amount: number;
  movements: LotMovement[];
  /** The generation charged or refunded. */
  generationId: string | null;
  /** Why, for people: an adjustment's reason. */
  reason: string | null;
  requestId: string;
  /**
   * Of a grant or an adjustment: what it is made for, unique over all accounts, so that a
   * caller that does not know whether it was made can send it again.
   */
  reference?: string | undefined;
  at: number;
}

/** The reference of what an operator's command books under this idempotency key. */
export const operatorReference = (key: string) => `operator ${key}`;

/** The reference of what a form of the staff console books; undefined for a form without an id. */
export const formReference = (formId: string | null) =>
  formId === null ? undefined : `form ${formId}`;

/** The id of an account's entry: ids sort as the numbers do. */
export function ledgerEntryId(accountId: string, number: number): string {
  return `${accountId}.${String(number).padStart(12, '0')}`;
}

/** Builds an entry from its movements; its amount is their sum. */
export function ledgerEntry(
  fields: Omit<LedgerEntry, 'id' | 'amount' | 'generationId' | 'reason'> &
    Partial<Pick<LedgerEntry, 'generationId' | 'reason'>>,
): LedgerEntry {
  return {
    id: ledgerEntryId(fields.accountId, fields.number),
    ...fields,
    amount: fields.movements.reduce((sum, movement) => sum + movement.amount, 0),
    generationId: fields.generationId ?? null,
    reason: fields.reason ?? null,
  };
}
