import type { LedgerStore } from '../../application/ports/ledgerStore.ts';
import { ledgerEntryId, type LedgerEntry } from '../../domain/ledger.ts';
import type { Collections } from './collections.ts';
import { fromDocument } from './documents.ts';

/** The ledger in MongoDB; there is no way to change or remove an entry. */
export function createLedgerStore({ ledger }: Collections): LedgerStore {
  return {
    async findByReference(reference) {
      const found = await ledger.findOne({ reference });
      return found && fromDocument<LedgerEntry>(found);
    },
    async find(accountId) {
      const found = ledger.find(
        { _id: { $gt: `${accountId}.`, $lt: `${accountId}/` } },
        { sort: { _id: 1 } },
      );
      return (await found.toArray()).map((document) => fromDocument<LedgerEntry>(document));
    },
    async oldest(accountId, after, limit) {
      const found = ledger.find(
        { _id: { $gt: ledgerEntryId(accountId, after), $lt: `${accountId}/` } },
        { sort: { _id: 1 }, limit },
      );
      return (await found.toArray()).map((document) => fromDocument<LedgerEntry>(document));
    },
    async newest(accountId, before, limit) {
      const end = before === null ? `${accountId}/` : ledgerEntryId(accountId, before);
      const found = ledger.find(
        { _id: { $gt: `${accountId}.`, $lt: end } },
        { sort: { _id: -1 }, limit },
      );
      return (await found.toArray()).map((document) => fromDocument<LedgerEntry>(document));
    },
  };
}
