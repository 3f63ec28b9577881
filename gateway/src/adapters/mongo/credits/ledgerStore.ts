import type { LedgerStore, RealPersonAuditStore } from '../../../application/ports/database.ts';
import { ledgerEntryId } from '../../../domain/credits/credits.ts';
import type { Collections } from '../collections.ts';
import { ledgerCodec } from '../models/ledger.ts';
import { realPersonAuditCodec } from '../models/realPersonAudit.ts';

/** Documents per server answer; by default the server sends 16 MB of small ones at once. */
const batchSize = 1000;

/** The ledger; entries cannot be changed or removed. */
export function createLedgerStore({ ledger, references }: Collections): LedgerStore {
  return {
    async findByReference(reference) {
      const noted = await references.findOne({ _id: reference });
      const found = noted && (await ledger.findOne({ accountId: noted.accountId, reference }));
      return found && ledgerCodec.fromStored(found);
    },
    async find(accountId) {
      const found = ledger.find(
        { accountId, _id: { $gt: `${accountId}.`, $lt: `${accountId}/` } },
        { sort: { _id: 1 }, hint: '_id_' },
      );
      return (await found.toArray()).map(ledgerCodec.fromStored);
    },
    async oldest(accountId, after, limit) {
      const found = ledger.find(
        { accountId, _id: { $gt: ledgerEntryId(accountId, after), $lt: `${accountId}/` } },
        { sort: { _id: 1 }, limit, hint: '_id_' },
      );
      return (await found.toArray()).map(ledgerCodec.fromStored);
    },
    async newest(accountId, before, limit) {
      const end = before === null ? `${accountId}/` : ledgerEntryId(accountId, before);
      const found = ledger.find(
        { accountId, _id: { $gt: `${accountId}.`, $lt: end } },
        { sort: { _id: -1 }, limit, hint: '_id_' },
      );
      return (await found.toArray()).map(ledgerCodec.fromStored);
    },
  };
}

/** Audit records of real-person mode; inserted by the unit of work, removed by a TTL index. */
export function createRealPersonAuditStore({
  realPersonAudit,
}: Pick<Collections, 'realPersonAudit'>): RealPersonAuditStore {
  return {
    async noteInputs(generationId, hashes) {
      const named: Record<`inputs.${number}.sha256`, string> = {};
      for (const [index, sha256] of hashes.entries()) named[`inputs.${index}.sha256`] = sha256;
      await realPersonAudit.updateOne({ _id: generationId }, { $set: named });
    },
    async *since(sinceMs) {
      const found = realPersonAudit.find(
        { at: { $gte: new Date(sinceMs) } },
        { sort: { at: 1, _id: 1 }, batchSize },
      );
      for await (const document of found) yield realPersonAuditCodec.fromStored(document);
    },
  };
}
