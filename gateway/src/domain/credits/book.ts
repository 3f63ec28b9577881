import type { Account } from '../accounts/account.ts';
import { answerCreditRequest } from '../accounts/creditRequest.ts';
import { Refusal } from '../refusal.ts';
import { addCredits, balanceOf, type Lot, type LotChange, pruneSpentLots } from './credits.ts';
import { type LedgerEntry, ledgerEntry } from './ledgerChain.ts';

/** An entry without its movements; amounts, numbers and ids follow from the account. */
export type EntryFields = Pick<LedgerEntry, 'kind' | 'requestId' | 'at' | 'reference'> &
  Partial<Pick<LedgerEntry, 'generationId' | 'reason'>>;

/** Kinds of entries that give new credits; a refund returns old ones. */
const gives = new Set<EntryFields['kind']>(['grant', 'adjustment']);

/**
 * Books a change of an account's lots. Giving credits also closes the account's open request for credits.
 * @returns The account afterwards, and the ledger entry.
 */
export function book(
  account: Account,
  { lots, movements }: LotChange,
  fields: EntryFields,
): { after: Account; entry: LedgerEntry } {
  const number = account.ledgerEntries + 1;
  const entry = ledgerEntry(
    { accountId: account.id, number, movements, ...fields },
    account.ledgerHash,
  );
  const after = { ...account, lots: pruneSpentLots(lots), ledgerEntries: number };
  const answered =
    entry.amount > 0 && gives.has(entry.kind) ? answerCreditRequest(after, 'granted') : after;
  return { after: { ...answered, ledgerHash: entry.hash }, entry };
}

/** Maximum lots with credits before a grant is refused: each change of the account writes all of them. */
export const maxLots = 1_000;

/** Adds credits. @throws Refusal `balance_too_high`. */
export function giveCredits(lots: readonly Lot[], lot: Omit<Lot, 'remaining'>): LotChange {
  if (Number.isSafeInteger(balanceOf(lots) + lot.amount)) return addCredits(lots, lot);
  throw new Refusal('balance_too_high');
}

/** Like `giveCredits`, but opens no lot beyond `maxLots`. @throws Refusal `lots_full`, `balance_too_high`. */
export function giveWithinMaximum(lots: readonly Lot[], lot: Omit<Lot, 'remaining'>): LotChange {
  const change = giveCredits(lots, lot);
  const holdsCredits = ({ remaining }: Lot) => remaining > 0;
  if (change.lots.length > lots.length && lots.filter(holdsCredits).length >= maxLots) {
    throw new Refusal('lots_full', { values: { max: maxLots } });
  }
  return change;
}
