import type { SessionStore } from '../../application/site/ports.ts';
import type { StaffSession, StaffSessionStore } from '../../application/staff/ports.ts';
import type { Models } from './collections.ts';
import { sessionCodec, staffSessionCodec } from './models/sessions.ts';
import { createRecords, isAfterNow, type RecordCodec } from './records.ts';

/** A visit to the account site is written at most this often, in ms. */
const notedEveryMs = 60_000;

const since = (ms: number) => ({ $subtract: ['$$NOW', ms] });
const live = (idleMs: number) => ({
  $expr: { $and: [isAfterNow('expiresAt'), { $gt: ['$seenAt', since(idleMs)] }] },
});

/** Base of the sessions of both sites. @param everyMs A visit is written at most this often. */
function createSessions<S extends StaffSession>(
  sessions: Models['staffSessions'],
  codec: RecordCodec<S>,
  everyMs: number,
): Omit<SessionStore<S>, 'keep' | 'actFor'> {
  const { findOne, list, insert, remove } = createRecords(sessions, codec);
  return {
    insert,
    remove,
    async visit(sessionId, idleMs, isUse = true) {
      const found = await findOne({ _id: sessionId, ...live(idleMs) });
      if (found && isUse) {
        await sessions.updateOne(
          { _id: sessionId, $expr: { $lt: ['$seenAt', since(everyMs)] } },
          [{ $set: { seenAt: '$$NOW' } }],
          { updatePipeline: true },
        );
      }
      return found;
    },
    list: (accountId, idleMs) => list({ accountId, ...live(idleMs) }, { sort: { seenAt: -1 } }),
  };
}

/** Sessions of the account site in MongoDB; a TTL index removes those that are over. */
export function createSessionStore({ sessions }: Pick<Models, 'sessions'>): SessionStore {
  // It has all fields of the other one, and some more.
  const model = sessions as unknown as Models['staffSessions'];
  return {
    ...createSessions(model, sessionCodec, notedEveryMs),
    async keep(sessionId, data) {
      await sessions.updateOne({ _id: sessionId }, { $set: { data } });
    },
    async actFor(sessionId, accountId) {
      await sessions.updateOne({ _id: sessionId }, { $set: { actsFor: accountId } });
    },
  };
}

/** Sessions of the console in MongoDB; a TTL index removes those that are over. */
export function createStaffSessionStore({
  staffSessions,
}: Pick<Models, 'staffSessions'>): StaffSessionStore {
  return createSessions(staffSessions, staffSessionCodec, 0);
}
