import type { Account } from './account.ts';
import { balanceOf, ledgerEntry, pruneSpentLots, type LedgerEntry, type Lot } from './credits.ts';
import { PlainRefusal } from './refusal.ts';

/**
 * Adds a whole lot to an account, with the ledger entry of its grant.
 * @throws PlainRefusal if the account would exceed the highest countable balance.
 */
export function grantLot(
  account: Account,
  { id: lotId, kind, amount, expiresAt, createdAt }: Omit<Lot, 'remaining'>,
  names: Pick<LedgerEntry, 'requestId' | 'reference' | 'reason'>,
): { after: Account; entry: LedgerEntry } {
  if (!Number.isSafeInteger(balanceOf(account.lots) + amount)) {
    throw new PlainRefusal('The account would hold more credits than can be counted.');
  }
  const lot: Lot = { id: lotId, kind, amount, remaining: amount, expiresAt, createdAt };
  const number = account.ledgerEntries + 1;
  return {
    after: {
      ...account,
      lots: pruneSpentLots([...account.lots, lot]),
      ledgerEntries: number,
    },
    entry: ledgerEntry({
      accountId: account.id,
      number,
      kind: 'grant',
      at: createdAt,
      ...names,
      movements: [{ lotId, kind, amount, expiresAt }],
    }),
  };
}
