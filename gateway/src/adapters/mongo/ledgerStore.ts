import type { mongo } from 'mongoose';
import type { LedgerAudit, LedgerSnapshot } from '../../application/accounts/ports.ts';
import type { LedgerStore, RealPersonAuditStore } from '../../application/ports/database.ts';
import { ledgerEntryId } from '../../domain/credits.ts';
import type { Collections } from './collections.ts';
import { accountCodec } from './models/accounts.ts';
import { generationCodec } from './models/generations.ts';
import { ledgerCodec } from './models/ledger.ts';
import { realPersonAuditCodec } from './models/realPersonAudit.ts';

/** The fields that an audit reads; prompts, keys and replays stay where they are. */
const accountFields = {
  lots: 1,
  ledgerEntries: 1,
  inFlightCredits: 1,
  running: 1,
  waiting: 1,
} as const;
const generationFields = {
  accountId: 1,
  status: 1,
  step: 1,
  costCredits: 1,
  refundedCredits: 1,
  charge: 1,
  createdAt: 1,
  startedAt: 1,
  endedAt: 1,
  'attempts.number': 1,
  'attempts.outcome': 1,
} as const;

/** Documents of one answer; left alone, the server sends 16 MB of small ones at once. */
const batchSize = 1000;

/** Entries that name a generation; the condition is the one of their index. */
const named = { generationId: { $type: 'string' } };

/** The ledger in MongoDB; there is no way to change or remove an entry. */
export function createLedgerStore({ ledger }: Collections): LedgerStore {
  return {
    async findByReference(reference) {
      const found = await ledger.findOne({ reference });
      return found && ledgerCodec.fromStored(found);
    },
    async find(accountId) {
      const found = ledger.find(
        { _id: { $gt: `${accountId}.`, $lt: `${accountId}/` } },
        { sort: { _id: 1 } },
      );
      return (await found.toArray()).map(ledgerCodec.fromStored);
    },
    async oldest(accountId, after, limit) {
      const found = ledger.find(
        { _id: { $gt: ledgerEntryId(accountId, after), $lt: `${accountId}/` } },
        { sort: { _id: 1 }, limit },
      );
      return (await found.toArray()).map(ledgerCodec.fromStored);
    },
    async newest(accountId, before, limit) {
      const end = before === null ? `${accountId}/` : ledgerEntryId(accountId, before);
      const found = ledger.find(
        { _id: { $gt: `${accountId}.`, $lt: end } },
        { sort: { _id: -1 }, limit },
      );
      return (await found.toArray()).map(ledgerCodec.fromStored);
    },
  };
}

/**
 * The audit of the ledger in MongoDB: all reads of one snapshot session are of one moment. The server
 * keeps that moment for `minSnapshotHistoryWindowInSeconds` (5 minutes by default).
 */
export function createLedgerAudit(
  client: mongo.MongoClient,
  { accounts, generations, ledger }: Collections,
): LedgerAudit {
  return {
    async inSnapshot(accountId, work) {
      const session = client.startSession({ snapshot: true });
      try {
        // One account is read by an index of the account and sorted: one in the order of the stream has all.
        const by = (index: string) => ({
          session,
          batchSize,
          allowDiskUse: true,
          ...(accountId !== null && { hint: index }),
        });
        const one = accountId !== null;
        const account = one ? { _id: accountId } : {};
        const entries = one ? { _id: { $gt: `${accountId}.`, $lt: `${accountId}/` } } : {};
        const ofGenerations = { ...entries, ...named };
        const own = one ? { accountId } : {};
        const snapshot: LedgerSnapshot = {
          accounts: () =>
            stream(
              accounts.find(account, {
                ...by('_id_'),
                sort: { _id: 1 },
                projection: accountFields,
              }),
              accountCodec.fromPart,
            ),
          entriesByAccount: () =>
            stream(
              ledger.find(entries, { ...by('_id_'), sort: { _id: 1 } }),
              ledgerCodec.fromStored,
            ),
          entriesByGeneration: () =>
            stream(
              ledger.find(ofGenerations, { ...by('_id_'), sort: { generationId: 1, kind: 1 } }),
              ledgerCodec.fromStored,
            ),
          generations: () =>
            stream(
              generations.find(own, {
                ...by('history'),
                sort: { _id: 1 },
                projection: generationFields,
              }),
              generationCodec.fromPart,
            ),
        };
        return await work(snapshot);
      } finally {
        await session.endSession();
      }
    },
  };
}

async function* stream<Stored, T>(
  cursor: mongo.FindCursor<Stored>,
  read: (document: Stored) => T,
): AsyncGenerator<T> {
  for await (const document of cursor) yield read(document);
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
