import type { LotMovement } from './credits.ts';

/** What an entry records. A grant, an expiry and an adjustment create or destroy credits, no other does. */
export type LedgerEntryKind = 'grant' | 'charge' | 'refund' | 'expiry' | 'adjustment';

/**
 * One line of the append-only ledger; the balance is derivable from it alone (design section 6).
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
  at: number;
}

/** Builds an entry from its movements; its amount is their sum. */
export function ledgerEntry(
  fields: Omit<LedgerEntry, 'id' | 'amount' | 'generationId' | 'reason'> &
    Partial<Pick<LedgerEntry, 'generationId' | 'reason'>>,
): LedgerEntry {
  return {
    id: `${fields.accountId}.${String(fields.number).padStart(12, '0')}`,
    ...fields,
    amount: fields.movements.reduce((sum, movement) => sum + movement.amount, 0),
    generationId: fields.generationId ?? null,
    reason: fields.reason ?? null,
  };
}
