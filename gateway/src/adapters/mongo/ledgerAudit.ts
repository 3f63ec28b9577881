import { mongo } from 'mongoose';
import type {
  AuditedEntry,
  AuditedGeneration,
  LedgerAudit,
  LedgerSnapshot,
} from '../../application/accounts/ports.ts';
import { ledgerEntryId } from '../../domain/credits.ts';
import { firstIdAt } from '../../domain/ids.ts';
import type { Collections } from './collections.ts';
import { accountCodec } from './models/accounts.ts';
import type { StoredGeneration } from './models/generations.ts';
import type { StoredLedgerEntry } from './models/ledger.ts';
import type { Projected } from './models/statements.ts';

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
  replaces: 1,
  'attempts.number': 1,
  'attempts.outcome': 1,
} as const;

const entryFields = {
  accountId: 1,
  number: 1,
  kind: 1,
  amount: 1,
  movements: 1,
  generationId: 1,
} as const;

type StoredEntry = Projected<StoredLedgerEntry, typeof entryFields>;
type StoredPart = Projected<StoredGeneration, typeof generationFields>;

/** The audited part of an entry. An audit reads millions: the codec would copy each movement. */
const auditedEntry = (stored: StoredEntry): AuditedEntry => ({
  id: stored._id,
  accountId: stored.accountId,
  number: stored.number,
  kind: stored.kind,
  amount: stored.amount,
  movements: stored.movements,
  generationId: stored.generationId,
});

const auditedGeneration = (stored: StoredPart): AuditedGeneration => ({
  id: stored._id,
  accountId: stored.accountId,
  status: stored.status,
  step: stored.step,
  costCredits: stored.costCredits,
  refundedCredits: stored.refundedCredits,
  charge: stored.charge,
  createdAt: stored.createdAt.getTime(),
  startedAt: stored.startedAt?.getTime() ?? null,
  endedAt: stored.endedAt?.getTime() ?? null,
  attempts: stored.attempts,
  ...(typeof stored.replaces === 'string' && { replaces: stored.replaces }),
});

/** Documents of one answer; left alone, the server sends 16 MB of small ones at once. */
const batchSize = 1000;

/**
 * The audit of the ledger in MongoDB: all reads of one snapshot session are of one moment. The server
 * keeps that moment for `minSnapshotHistoryWindowInSeconds` (5 minutes by default).
 */
export function createLedgerAudit(
  client: mongo.MongoClient,
  { accounts, generations, ledger }: Collections,
): LedgerAudit {
  return {
    async inSnapshot(accountId, work, moment) {
      const session: SnapshotSession = client.startSession({ snapshot: true });
      if (moment !== undefined) session.snapshotTime = parseMoment(moment);
      try {
        // The first answer decides the moment of all reads, so nothing may be asked beside it.
        await accounts.findOne({ _id: '' }, { session, projection: { _id: 1 } });
        const all = { session, batchSize };
        const snapshot: LedgerSnapshot = {
          moment: formatMoment(session.snapshotTime),
          accounts: () =>
            pagesOf(
              accounts.find(accountId === null ? {} : { _id: accountId }, {
                ...all,
                hint: '_id_',
                sort: { _id: 1 },
                projection: accountFields,
              }),
              accountCodec.fromPart,
            ),
          entries: ({ from, before }) =>
            pagesOf(
              ledger.find(
                accountId === null
                  ? { _id: { $gte: `${from}.`, ...(before !== null && { $lt: `${before}.` }) } }
                  : { _id: { $gt: `${accountId}.`, $lt: `${accountId}/` } },
                { ...all, hint: '_id_', sort: { _id: 1 }, projection: entryFields },
              ),
              auditedEntry,
            ),
          generations: ({ from, before }) =>
            pagesOf(
              generations.find(
                {
                  accountId: accountId ?? { $gte: from, ...(before !== null && { $lt: before }) },
                },
                {
                  ...all,
                  hint: 'history',
                  // That index read backwards.
                  sort: { accountId: -1, _id: 1 },
                  projection: generationFields,
                },
              ),
              auditedGeneration,
            ),
          entriesAfter: (id, number) =>
            pagesOf(
              ledger.find(
                { _id: { $gt: ledgerEntryId(id, number), $lt: `${id}/` } },
                { ...all, hint: '_id_', sort: { _id: 1 }, projection: entryFields },
              ),
              auditedEntry,
            ),
          generationsSince: (ms) =>
            pagesOf(
              generations.find(
                { _id: { $gte: firstIdAt('gen', ms) } },
                { ...all, hint: '_id_', sort: { _id: 1 }, projection: generationFields },
              ),
              auditedGeneration,
            ),
          unfinished: () =>
            pagesOf(
              generations.find(
                { open: true },
                { ...all, hint: 'unfinished', projection: generationFields },
              ),
              auditedGeneration,
            ),
          async findGenerations(ids) {
            const found = generations.find(
              { _id: { $in: [...ids] } },
              { session, hint: '_id_', projection: generationFields },
            );
            return (await found.toArray()).map(auditedGeneration);
          },
          async findEntries({ generationIds, accountIds }) {
            const found = ledger.find(
              // The partial index of these entries requires the type.
              {
                accountId: { $in: [...accountIds] },
                generationId: { $in: [...generationIds], $type: 'string' },
              },
              { session, hint: 'accountGenerationKind', projection: entryFields },
            );
            return (await found.toArray()).map(auditedEntry);
          },
        };
        return await work(snapshot);
      } finally {
        await session.endSession();
      }
    },
  };
}

/** The driver's session with the moment of its reads, which its types leave out. */
type SnapshotSession = mongo.ClientSession & { snapshotTime?: mongo.Timestamp };

function formatMoment(time: mongo.Timestamp | undefined): string {
  if (!time) throw new Error('the server named no moment of the snapshot');
  return `${time.t}.${time.i}`;
}

function parseMoment(text: string): mongo.Timestamp {
  const [t = 0, i = 0] = text.split('.').map(Number);
  return new mongo.Timestamp({ t, i });
}

/** The documents of a cursor as they come in answers of the server. */
async function* pagesOf<Stored, T>(
  cursor: mongo.FindCursor<Stored>,
  read: (document: Stored) => T,
): AsyncGenerator<T[]> {
  try {
    while (await cursor.hasNext()) yield cursor.readBufferedDocuments().map(read);
  } finally {
    await cursor.close();
  }
}
