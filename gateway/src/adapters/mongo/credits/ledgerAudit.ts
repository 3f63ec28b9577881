import { mongo } from 'mongoose';
import type { LedgerAudit, LedgerSnapshot } from '../../../application/ports/ledgerAudit.ts';
import { ledgerEntryId } from '../../../domain/credits/credits.ts';
import { firstGenerationId } from '../../../domain/ids.ts';
import { CommandError } from '../../../domain/installation/commandError.ts';
import { type Collections, listBufferedPages } from '../collections.ts';
import { describeLostSnapshot } from '../errors.ts';
import {
  accountFields,
  auditedAccount,
  auditedEntry,
  auditedGeneration,
  entryFields,
  generationFields,
} from './auditedParts.ts';

/**
 * The ledger's audit: all reads of a snapshot session see the same moment. The server keeps that moment for
 * `minSnapshotHistoryWindowInSeconds` (5 minutes by default).
 */
export function createLedgerAudit(
  client: mongo.MongoClient,
  { accounts, generations, ledger, references, accountLookups, operatorEvents, feeds }: Collections,
): LedgerAudit {
  return {
    async runInSnapshot(accountId, work, moment) {
      const session: SnapshotSession = client.startSession({ snapshot: true });
      if (moment !== undefined) session.snapshotTime = parseMoment(moment);
      try {
        // The first response determines the moment of all reads, so no other read may run in parallel with it.
        await accounts.findOne({ _id: '' }, { session, projection: { _id: 1 } });
        const findNames = async (from: typeof references, ids: readonly string[]) => {
          const cursor = from.find({ _id: { $in: [...ids] } }, { session, hint: '_id_' });
          return (await cursor.toArray()).map(({ _id: id, accountId: ownerId }) => ({
            id,
            accountId: ownerId,
          }));
        };
        const snapshot: LedgerSnapshot = {
          moment: formatMoment(session.snapshotTime),
          at: (session.snapshotTime?.t ?? 0) * 1000,
          listAccounts: () =>
            listBufferedPages(
              accounts.find(accountId === null ? {} : { _id: accountId }, {
                session,
                hint: '_id_',
                sort: { _id: 1 },
                projection: accountFields,
              }),
              auditedAccount,
            ),
          listEntries: ({ from, before }) =>
            listBufferedPages(
              ledger.find(
                accountId === null
                  ? { _id: { $gte: `${from}.`, ...(before !== null && { $lt: `${before}.` }) } }
                  : { _id: { $gt: `${accountId}.`, $lt: `${accountId}/` } },
                { session, hint: '_id_', sort: { _id: 1 }, projection: entryFields },
              ),
              auditedEntry,
            ),
          listGenerations: ({ from, before }) =>
            listBufferedPages(
              generations.find(
                {
                  accountId: accountId ?? { $gte: from, ...(before !== null && { $lt: before }) },
                },
                {
                  session,
                  hint: 'history',
                  // The same index, read backwards.
                  sort: { accountId: -1, _id: 1 },
                  projection: generationFields,
                },
              ),
              auditedGeneration,
            ),
          listEntriesAfter: (id, number) =>
            listBufferedPages(
              ledger.find(
                { _id: { $gt: ledgerEntryId(id, number), $lt: `${id}/` } },
                { session, hint: '_id_', sort: { _id: 1 }, projection: entryFields },
              ),
              auditedEntry,
            ),
          listGenerationsSince: (ms) =>
            listBufferedPages(
              generations.find(
                { _id: { $gte: firstGenerationId(ms) } },
                { session, hint: '_id_', sort: { _id: 1 }, projection: generationFields },
              ),
              auditedGeneration,
            ),
          listUnfinished: () =>
            listBufferedPages(
              generations.find(
                { open: true },
                { session, hint: 'unfinished', projection: generationFields },
              ),
              auditedGeneration,
            ),
          findReferences: (ids) => findNames(references, ids),
          findLookups: (ids) => findNames(accountLookups, ids),
          async countNames() {
            return {
              references: await references.countDocuments({}, { session, hint: '_id_' }),
              accountLookups: await accountLookups.countDocuments({}, { session, hint: '_id_' }),
            };
          },
          async loadFeed() {
            const newest = { session, hint: 'feed', projection: { position: 1 } } as const;
            const tops = [
              await ledger.findOne({}, { ...newest, sort: { position: -1, _id: -1 } }),
              await generations.findOne(
                { open: false },
                { ...newest, sort: { position: -1, accountId: -1, endNumber: -1 } },
              ),
              await operatorEvents.findOne(
                {},
                { ...newest, sort: { position: -1, subject: -1, number: -1, sequence: -1 } },
              ),
            ];
            const counter = await feeds.findOne({ _id: 'feed' }, { session });
            const highest = Math.max(0, ...tops.map((top) => top?.position ?? 0));
            return { last: counter?.last ?? 0, highest };
          },
          async findGenerations(ids) {
            const cursor = generations.find(
              { _id: { $in: [...ids] } },
              { session, hint: '_id_', projection: generationFields },
            );
            return (await cursor.toArray()).map(auditedGeneration);
          },
          async findEntries({ generationIds, accountIds }) {
            const cursor = ledger.find(
              // The partial index of these entries requires the type.
              {
                accountId: { $in: [...accountIds] },
                generationId: { $in: [...generationIds], $type: 'string' },
              },
              { session, hint: 'accountGenerationKind', projection: entryFields },
            );
            return (await cursor.toArray()).map(auditedEntry);
          },
        };
        return await work(snapshot);
      } catch (error) {
        const lost = describeLostSnapshot(error);
        throw lost === null ? error : new CommandError(lost);
      } finally {
        await session.endSession();
      }
    },
  };
}

/** The moment of the driver's session, which its types omit. */
type SnapshotSession = mongo.ClientSession & { snapshotTime?: mongo.Timestamp };

function formatMoment(time: mongo.Timestamp | undefined): string {
  if (!time) throw new Error('the server named no moment of the snapshot');
  return `${time.t}.${time.i}`;
}

function parseMoment(text: string): mongo.Timestamp {
  const [seconds = 0, increment = 0] = text.split('.').map(Number);
  return new mongo.Timestamp({ t: seconds, i: increment });
}
