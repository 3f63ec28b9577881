import { hash } from 'node:crypto';
import { type LedgerEntryKind, sum } from '@framegate/contract';
import { isoTime, isoTimeOrNull } from '../time/isoTime.ts';
import { ledgerEntryId, type LotMovement, ownReference } from './credits.ts';

/**
 * One line of the append-only ledger, from which alone the balance can be derived. Amounts in credits, times in ms
 * since the epoch.
 */
export interface LedgerEntry {
  /** Account id and number, which keeps the number unique. */
  id: string;
  accountId: string;
  /** 1, 2, 3 … per account, without gaps. */
  number: number;
  kind: LedgerEntryKind;
  /** Sum of the movements; negative for credits taken. */
  amount: number;
  movements: LotMovement[];
  generationId: string | null;
  /** An adjustment's reason, human-readable. */
  reason: string | null;
  requestId: string;
  /**
   * For grants and adjustments: identifies the request across all accounts, so that a caller who does not know whether
   * the entry was made can repeat the request.
   */
  reference?: string | undefined;
  at: number;
  /** Covers the entry and, through the previous hash, all earlier entries of the account (`entryHash`). */
  hash: string;
}

/**
 * The hash of an entry: SHA-256 (hex) over a JSON list of the previous entry's hash and the values that the operator
 * API shows. Anyone who follows the ledger can therefore verify their own copy.
 * @param previous Null for an account's first entry.
 */
export function entryHash(previous: string | null, entry: Omit<LedgerEntry, 'hash'>): string {
  const values = [
    previous,
    entry.accountId,
    entry.number,
    entry.kind,
    entry.amount,
    entry.movements.map(({ lotId, kind, amount, expiresAt }) => [
      lotId,
      kind,
      amount,
      isoTimeOrNull(expiresAt),
    ]),
    entry.generationId,
    entry.reason,
    ownReference(entry.reference),
    entry.requestId,
    isoTime(entry.at),
  ];
  return hash('sha256', JSON.stringify(values));
}

/**
 * The id that the operator API shows. After a restore another entry of the account may get the same number, but never
 * the same hash.
 */
export function shownEntryId(entry: Pick<LedgerEntry, 'id' | 'hash'>): string {
  return `${entry.id}.${entry.hash.slice(0, 12)}`;
}

/** Builds an entry after the one with the hash `previous`; its amount is the sum of the movements. */
export function ledgerEntry(
  fields: Omit<LedgerEntry, 'id' | 'amount' | 'generationId' | 'reason' | 'hash'> &
    Partial<Pick<LedgerEntry, 'generationId' | 'reason'>>,
  previous: string | null,
): LedgerEntry {
  const entry = {
    id: ledgerEntryId(fields.accountId, fields.number),
    ...fields,
    amount: sum(fields.movements.map((movement) => movement.amount)),
    generationId: fields.generationId ?? null,
    reason: fields.reason ?? null,
  };
  return { ...entry, hash: entryHash(previous, entry) };
}
