import { mongo } from 'mongoose';
import type {
  AuditedAccount,
  AuditedEntry,
  AuditedGeneration,
  LedgerAudit,
  LedgerSnapshot,
} from '../../../application/ports/accounts.ts';
import { ledgerEntryId } from '../../../domain/credits/credits.ts';
import { firstIdAt } from '../../../domain/ids.ts';
import { CommandError } from '../../../domain/installation/commandError.ts';
import { bufferedPages, type Collections } from '../collections.ts';
import { explainLostSnapshot } from '../errors.ts';
import { accountCodec, type StoredAccount } from '../models/accounts.ts';
import type { StoredGeneration } from '../models/generations.ts';
import { ledgerCodec, type StoredLedgerEntry } from '../models/ledger.ts';
import type { Projected } from '../models/statements.ts';

/** The fields read by an audit; prompts and replays are not. */
const accountFields = {
  version: 1,
  lots: 1,
  ledgerEntries: 1,
  ledgerHash: 1,
  inFlightCredits: 1,
  running: 1,
  waiting: 1,
  plan: 1,
  nextExpiryAt: 1,
  email: 1,
  externalId: 1,
  identities: 1,
  invitations: 1,
  erasureRequest: 1,
  creditRequest: 1,
  staffRole: 1,
  'keys.id': 1,
  'keys.hash': 1,
  'keys.lastFour': 1,
  'keys.prefix': 1,
  'keys.hosts': 1,
  'keys.replacedBy': 1,
  'keys.monthSpent': 1,
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
  deadlineAt: 1,
  dueAt: 1,
  leaseUntil: 1,
  open: 1,
  monthCounted: 1,
  replaces: 1,
  'attempts.number': 1,
  'attempts.outcome': 1,
} as const;

const entryFields = { position: 0 } as const;

type StoredPart = Projected<StoredGeneration, typeof generationFields>;
type StoredAccountPart = Projected<StoredAccount, typeof accountFields>;

const auditedAccount = (stored: StoredAccountPart): AuditedAccount => {
  const { plan, ...rest } = accountCodec.fromPart(stored);
  return { ...rest, ...(plan && { plan }) };
};

const auditedEntry: (stored: Omit<StoredLedgerEntry, 'position'>) => AuditedEntry =
  ledgerCodec.fromStored;

const auditedGeneration = (stored: StoredPart): AuditedGeneration => ({
  id: stored._id,
  accountId: stored.accountId,
  status: stored.status,
  step: stored.step,
  costCredits: stored.costCredits,
  refundedCredits: stored.refundedCredits,
  charge: stored.charge.map((each) => ({
    ...each,
    expiresAt: each.expiresAt?.getTime() ?? null,
  })),
  createdAt: stored.createdAt.getTime(),
  startedAt: stored.startedAt?.getTime() ?? null,
  endedAt: stored.endedAt?.getTime() ?? null,
  deadlineAt: stored.deadlineAt.getTime(),
  dueAt: stored.dueAt.getTime(),
  leaseUntil: stored.leaseUntil.getTime(),
  open: stored.open,
  ...(stored.monthCounted && { monthCounted: stored.monthCounted }),
  attempts: stored.attempts,
  ...(typeof stored.replaces === 'string' && { replaces: stored.replaces }),
});

/** Documents per server answer; by default the server sends 16 MB of small ones at once. */
const batchSize = 1000;

/**
 * The audit of the ledger: all reads of one snapshot session see one moment. The server keeps that moment for
 * `minSnapshotHistoryWindowInSeconds` (5 minutes by default).
 */
export function createLedgerAudit(
  client: mongo.MongoClient,
  { accounts, generations, ledger, references, accountLookups, operatorEvents, feeds }: Collections,
): LedgerAudit {
  return {
    async inSnapshot(accountId, work, moment) {
      const session: SnapshotSession = client.startSession({ snapshot: true });
      if (moment !== undefined) session.snapshotTime = parseMoment(moment);
      try {
        // The first answer determines the moment of all reads, so nothing may run beside it.
        await accounts.findOne({ _id: '' }, { session, projection: { _id: 1 } });
        const all = { session, batchSize };
        const findNames = async (from: typeof references, ids: readonly string[]) => {
          const found = from.find({ _id: { $in: [...ids] } }, { session, hint: '_id_' });
          return (await found.toArray()).map(({ _id: id, accountId: of }) => ({
            id,
            accountId: of,
          }));
        };
        const snapshot: LedgerSnapshot = {
          moment: formatMoment(session.snapshotTime),
          at: (session.snapshotTime?.t ?? 0) * 1000,
          accounts: () =>
            bufferedPages(
              accounts.find(accountId === null ? {} : { _id: accountId }, {
                ...all,
                hint: '_id_',
                sort: { _id: 1 },
                projection: accountFields,
              }),
              auditedAccount,
            ),
          entries: ({ from, before }) =>
            bufferedPages(
              ledger.find(
                accountId === null
                  ? { _id: { $gte: `${from}.`, ...(before !== null && { $lt: `${before}.` }) } }
                  : { _id: { $gt: `${accountId}.`, $lt: `${accountId}/` } },
                { ...all, hint: '_id_', sort: { _id: 1 }, projection: entryFields },
              ),
              auditedEntry,
            ),
          generations: ({ from, before }) =>
            bufferedPages(
              generations.find(
                {
                  accountId: accountId ?? { $gte: from, ...(before !== null && { $lt: before }) },
                },
                {
                  ...all,
                  hint: 'history',
                  // The same index, read backwards.
                  sort: { accountId: -1, _id: 1 },
                  projection: generationFields,
                },
              ),
              auditedGeneration,
            ),
          entriesAfter: (id, number) =>
            bufferedPages(
              ledger.find(
                { _id: { $gt: ledgerEntryId(id, number), $lt: `${id}/` } },
                { ...all, hint: '_id_', sort: { _id: 1 }, projection: entryFields },
              ),
              auditedEntry,
            ),
          generationsSince: (ms) =>
            bufferedPages(
              generations.find(
                { _id: { $gte: firstIdAt('gen', ms) } },
                { ...all, hint: '_id_', sort: { _id: 1 }, projection: generationFields },
              ),
              auditedGeneration,
            ),
          unfinished: () =>
            bufferedPages(
              generations.find(
                { open: true },
                { ...all, hint: 'unfinished', projection: generationFields },
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
          async feed() {
            const newest = { session, hint: 'feed', projection: { position: 1 } } as const;
            const tops = [
              await ledger.findOne({}, { ...newest, sort: { position: -1, _id: -1 } }),
              await generations.findOne(
                { open: false },
                { ...newest, sort: { position: -1, accountId: -1, endNumber: -1 } },
              ),
              await operatorEvents.findOne(
                {},
                { ...newest, sort: { position: -1, subject: -1, number: -1, order: -1 } },
              ),
            ];
            const counter = await feeds.findOne({ _id: 'feed' }, { session });
            const highest = Math.max(0, ...tops.map((top) => top?.position ?? 0));
            return { last: counter?.last ?? 0, highest };
          },
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
      } catch (error) {
        const lost = explainLostSnapshot(error);
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
  const [t = 0, i = 0] = text.split('.').map(Number);
  return new mongo.Timestamp({ t, i });
}
