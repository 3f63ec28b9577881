import { minuteMs } from '@framegate/contract';
import type { Session, SessionStore } from '../../../application/ports/site.ts';
import type { StaffSession, StaffSessionStore } from '../../../application/ports/staff.ts';
import { collectionNames, type Collections, type Models } from '../collections.ts';
import { accountCodec, type StoredAccount } from '../models/accounts.ts';
import { sessionCodec, staffSessionCodec, type StoredStaffSession } from '../models/sessions.ts';
import { afterNowExpression, createRecords, type RecordCodec } from '../records.ts';

/** Minimum time between writes of a session's visits, in ms: otherwise every page would wait for a majority. */
const notedEveryMs = minuteMs;

const since = (ms: number) => ({ $subtract: ['$$NOW', ms] });
const live = (idleMs: number) => ({
  $expr: { $and: [afterNowExpression('expiresAt'), { $gt: ['$seenAt', since(idleMs)] }] },
});

/** A session as `visit` reads it. */
interface VisitDocument {
  /** Whether to write the visit. */
  isDue: boolean;
  people: StoredAccount[];
}

const withDue = { $addFields: { isDue: { $lt: ['$seenAt', since(notedEveryMs)] } } };
const withAccount = {
  $lookup: {
    from: collectionNames.accounts,
    localField: 'accountId',
    foreignField: '_id',
    as: 'people',
  },
};

/** Like other reads of accounts: a state once seen is never rolled back. */
const asLastSeen = { readConcern: 'majority', readPreference: 'primary' } as const;

/** Shared base of both sites' sessions. */
function createSessions<S extends StaffSession>(
  sessions: Models['staffSessions'],
  // Read by every page.
  visited: Pick<Collections['staffSessions'], 'aggregate' | 'updateOne'>,
  codec: RecordCodec<StoredStaffSession, S>,
): Omit<SessionStore<S>, 'keep' | 'actFor'> {
  const { list, insert, remove } = createRecords(sessions, codec);
  return {
    insert,
    remove,
    async visit(sessionId, idleMs, isUse = true) {
      const stages = [{ $match: { _id: sessionId, ...live(idleMs) } }, withDue, withAccount];
      const [document] = await visited
        .aggregate<StoredStaffSession & VisitDocument>(stages, asLastSeen)
        .toArray();
      if (!document) return null;
      const { isDue, people, ...session } = document;
      if (isUse && isDue) {
        await visited.updateOne({ _id: sessionId }, [{ $set: { seenAt: '$$NOW' } }]);
      }
      const [account] = people;
      return {
        session: codec.fromStored(session),
        account: account ? accountCodec.fromStored(account) : null,
      };
    },
    list: (accountId, idleMs) => list({ accountId, ...live(idleMs) }, { sort: { seenAt: -1 } }),
  };
}

/** Sessions of the account site; a TTL index removes expired ones. */
export function createSessionStore(
  { sessions }: Pick<Models, 'sessions'>,
  collections: Pick<Collections, 'sessions'>,
): SessionStore {
  // The documents have the base's fields and more.
  const model = sessions as unknown as Models['staffSessions'];
  const visited = collections.sessions as unknown as Collections['staffSessions'];
  const codec = sessionCodec as unknown as RecordCodec<StoredStaffSession, Session>;
  return {
    ...createSessions(model, visited, codec),
    async keep(sessionId, data) {
      await sessions.updateOne({ _id: sessionId }, { $set: { data } });
    },
    async actFor(sessionId, accountId) {
      await sessions.updateOne({ _id: sessionId }, { $set: { actsFor: accountId } });
    },
  };
}

/** Sessions of the console; a TTL index removes expired ones. */
export function createStaffSessionStore(
  { staffSessions }: Pick<Models, 'staffSessions'>,
  collections: Pick<Collections, 'staffSessions'>,
): StaffSessionStore {
  return createSessions(staffSessions, collections.staffSessions, staffSessionCodec);
}
