import { dayMs } from '@framegate/contract';
import type {
  AccountList,
  MarkTakenDown,
  OperatorKeyStore,
  OperatorRecords,
  OperatorRequestStore,
} from '../../../application/ports/operator.ts';
import type { StoredEvent } from '../../../domain/accounts/accountEvent.ts';
import { type Collections, type Models, shortReadMs } from '../collections.ts';
import { accountCodec } from '../models/accounts.ts';
import { operatorEventCodec, operatorKeyCodec, operatorRequestCodec } from '../models/operator.ts';
import { auditDocument } from '../models/staff.ts';
import { createRecords } from '../records.ts';
import type { InTransaction, RunTransaction } from '../transactions.ts';
import { takeDownUpdate } from './staffStores.ts';

/** Keys of the operator API in MongoDB. */
export function createOperatorKeyStore({
  operatorKeys,
}: Pick<Models, 'operatorKeys'>): OperatorKeyStore {
  const { insert, findOne, list, change } = createRecords(operatorKeys, operatorKeyCodec);
  return {
    insert,
    findByHash: (hashes) => findOne({ hash: { $in: [...hashes] } }),
    list: (limit) => list({}, { sort: { _id: -1 }, limit }),
    end: (keyId, at) =>
      change({ _id: keyId }, [{ $set: { revokedAt: { $min: ['$revokedAt', new Date(at)] } } }]),
  };
}

/** Responses of the operator API in MongoDB; a TTL index removes them. */
export function createOperatorRequestStore({
  operatorRequests,
}: Pick<Models, 'operatorRequests'>): OperatorRequestStore {
  const { findOne } = createRecords(operatorRequests, operatorRequestCodec);
  return { find: (scope) => findOne({ scope }) };
}

/** Inserts the records of writes of operators. @throws The driver's error for a used scope. */
export async function insertRecords(
  { operatorRequests, staffAudit }: Pick<Collections, 'operatorRequests' | 'staffAudit'>,
  records: readonly OperatorRecords[],
  options: InTransaction,
): Promise<void> {
  if (records.length === 0) return;
  const requests = records.flatMap(({ request }) =>
    request ? [operatorRequestCodec.toStored(request)] : [],
  );
  if (requests.length > 0) await operatorRequests.insertMany(requests, options);
  await staffAudit.insertMany(
    records.map(({ audit }) => auditDocument(audit)),
    options,
  );
}

/** Retention of events, in ms: a follower that is absent for longer misses some. */
const eventsKeptMs = 400 * dayMs;

/** Inserts events with the change that made them. */
export async function insertEvents(
  { operatorEvents }: Pick<Collections, 'operatorEvents'>,
  events: readonly StoredEvent[],
  options: InTransaction,
): Promise<void> {
  if (events.length === 0) return;
  const documents = events.map((event) => ({
    ...operatorEventCodec.toStored(event),
    goneAt: new Date(event.at + eventsKeptMs),
  }));
  await operatorEvents.insertMany(documents, options);
}

/** Takes outputs down with the records of the request. */
export function createMarkTakenDown(
  collections: Pick<Collections, 'generations' | 'operatorRequests' | 'staffAudit'>,
  runTransaction: RunTransaction,
): MarkTakenDown {
  return async (generationId, nowMs, what, records) => {
    let isMarked = false;
    await runTransaction(async (options) => {
      const { filter, update } = takeDownUpdate(generationId, nowMs, what);
      const { modifiedCount } = await collections.generations.updateOne(filter, update, options);
      isMarked = modifiedCount === 1;
      if (isMarked) await insertRecords(collections, [records], options);
    });
    return isMarked;
  };
}

/** Customers' accounts in MongoDB, without their keys and credits, which may be large. */
export function createAccountList({ accounts }: Pick<Collections, 'accounts'>): AccountList {
  return {
    async listPage(after, limit) {
      const cursor = accounts.find(
        { _id: { $gt: after }, staffRole: null },
        {
          sort: { _id: 1 },
          limit,
          hint: '_id_',
          maxTimeMS: shortReadMs,
          projection: {
            externalId: 1,
            email: 1,
            isVerified: 1,
            status: 1,
            group: 1,
            limits: 1,
            createdAt: 1,
          },
        },
      );
      return (await cursor.toArray()).map(accountCodec.fromPart);
    },
  };
}
