import type { RealPersonAuditStore } from '../../../application/ports/database.ts';
import type { LedgerStore } from '../../../application/ports/ledger.ts';
import { ledgerEntryId } from '../../../domain/credits/credits.ts';
import type { Collections } from '../collections.ts';
import { loadWindowPage } from '../generations/windowPage.ts';
import { ledgerCodec } from '../models/ledger.ts';
import { realPersonAuditCodec } from '../models/realPersonAudit.ts';

/** Entries examined per page of a search. */
const maxExamined = 1_000;

/** Documents per read: the thread decodes them at once. */
const pageSize = 200;

/** The ledger; entries cannot be changed or removed. */
export function createLedgerStore({ accounts, ledger, references }: Collections): LedgerStore {
  /** The number of an account's first entry since a time: entries are in chronological order. */
  async function findFirstSince(accountId: string, ms: number): Promise<number> {
    const range = { _id: { $gt: `${accountId}.`, $lt: `${accountId}/` } };
    const newest = await ledger.findOne(range, {
      sort: { _id: -1 },
      hint: '_id_',
      projection: { number: 1 },
    });
    let [from, until] = [1, (newest?.number ?? 0) + 1];
    while (from < until) {
      const middle = Math.floor((from + until) / 2);
      const _id = ledgerEntryId(accountId, middle);
      const document = await ledger.findOne({ _id }, { projection: { at: 1 } });
      if (document && document.at.getTime() < ms) from = middle + 1;
      else until = middle;
    }
    return from;
  }
  return {
    async search(accountId, { from, until, amount }, before, limit) {
      const findNumberAt = async (ms: number | undefined) =>
        ms === undefined ? null : findFirstSince(accountId, ms);
      const [first, end] = [(await findNumberAt(from)) ?? 1, await findNumberAt(until)];
      const last = Math.min(before ?? Infinity, end ?? Infinity);
      const $lt = last === Infinity ? `${accountId}/` : ledgerEntryId(accountId, last);
      const { documents, last: place } = await loadWindowPage(ledger, {
        match: { _id: { $gte: ledgerEntryId(accountId, first), $lt } },
        sort: { _id: -1 },
        hint: '_id_',
        conditions: amount === undefined ? {} : { amount: { $in: [amount, -amount] } },
        isUnselective: amount === undefined,
        projection: {},
        maxExamined,
        limit,
      });
      const older = place === null ? null : Number(place._id.slice(accountId.length + 1));
      return { entries: documents.map(ledgerCodec.fromStored), older };
    },
    async findByReference(reference) {
      const record = await references.findOne({ _id: reference });
      const document = record && (await ledger.findOne({ accountId: record.accountId, reference }));
      return document && ledgerCodec.fromStored(document);
    },
    async find(accountId) {
      const cursor = ledger.find(
        { accountId, _id: { $gt: `${accountId}.`, $lt: `${accountId}/` } },
        { sort: { _id: 1 }, hint: '_id_' },
      );
      return (await cursor.toArray()).map(ledgerCodec.fromStored);
    },
    async listOldest(accountId, after, limit) {
      const cursor = ledger.find(
        { accountId, _id: { $gt: ledgerEntryId(accountId, after), $lt: `${accountId}/` } },
        { sort: { _id: 1 }, limit, hint: '_id_' },
      );
      return (await cursor.toArray()).map(ledgerCodec.fromStored);
    },
    async listNewest(accountId, before, limit) {
      const end = before === null ? `${accountId}/` : ledgerEntryId(accountId, before);
      const cursor = ledger.find(
        { accountId, _id: { $gt: `${accountId}.`, $lt: end } },
        { sort: { _id: -1 }, limit, hint: '_id_' },
      );
      return (await cursor.toArray()).map(ledgerCodec.fromStored);
    },
    async *listPages(accountId) {
      const end = accountId === null ? {} : { $lt: `${accountId}/` };
      const options = { sort: { _id: 1 }, hint: '_id_', limit: pageSize, projection } as const;
      let last = accountId === null ? '' : `${accountId}.`;
      for (;;) {
        // A query per page: no cursor stays open, however slowly the pages are consumed.
        const documents = await ledger.find({ _id: { $gt: last, ...end } }, options).toArray();
        if (documents.length === 0) return;
        const owners = { _id: { $in: [...new Set(documents.map((entry) => entry.accountId))] } };
        const people = accounts.find(owners, { projection: { email: 1 }, hint: '_id_' });
        const emails = new Map((await people.toArray()).map(({ _id: id, email }) => [id, email]));
        yield { entries: documents.map(ledgerCodec.fromPart), emails };
        last = documents.at(-1)?._id ?? last;
      }
    },
  };
}

/** The fields of entries that determine balances. */
const projection = { accountId: 1, number: 1, kind: 1, at: 1, movements: 1 } as const;

/** Audit records of real-person mode; inserted by the unit of work, removed by a TTL index. */
export function createRealPersonAuditStore({
  realPersonAudit,
}: Pick<Collections, 'realPersonAudit'>): RealPersonAuditStore {
  return {
    async recordInputs(generationId, hashes) {
      const hashFields: Record<`inputs.${number}.sha256`, string> = {};
      for (const [index, sha256] of hashes.entries()) hashFields[`inputs.${index}.sha256`] = sha256;
      await realPersonAudit.updateOne({ _id: generationId }, { $set: hashFields });
    },
    async *listSince(sinceMs) {
      const cursor = realPersonAudit.find(
        { at: { $gte: new Date(sinceMs) } },
        { sort: { at: 1, _id: 1 }, batchSize: pageSize },
      );
      for await (const document of cursor) yield realPersonAuditCodec.fromStored(document);
    },
  };
}
