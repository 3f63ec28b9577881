import type { LotMovement } from './credits.ts';

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
