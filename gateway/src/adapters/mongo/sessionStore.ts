import type { SessionStore } from '../../application/site/ports.ts';
import type { Collections } from './collections.ts';
import { fromDocument, toDocument } from './documents.ts';

/** A visit is written at most this often, in ms. */
const notedEveryMs = 60_000;

/** Sessions of the account site in MongoDB; a TTL index removes those that are over. */
export function createSessionStore({ sessions }: Pick<Collections, 'sessions'>): SessionStore {
  const since = (idleMs: number) => ({ $subtract: ['$$NOW', idleMs] });
  const live = (idleMs: number) => ({
    $expr: {
      $and: [{ $gt: ['$expiresAt', '$$NOW'] }, { $gt: ['$seenAt', since(idleMs)] }],
    },
  });
  return {
    async visit(sessionId, idleMs) {
      const found = await sessions.findOne({ _id: sessionId, ...live(idleMs) });
      if (!found) return null;
      await sessions.updateOne(
        { _id: sessionId, $expr: { $lt: ['$seenAt', since(notedEveryMs)] } },
        [{ $set: { seenAt: '$$NOW' } }],
      );
      return fromDocument(found);
    },
    async insert(session) {
      await sessions.insertOne(toDocument(session));
    },
    async keep(sessionId, data) {
      await sessions.updateOne({ _id: sessionId }, { $set: { data } });
    },
    async remove(sessionId) {
      await sessions.deleteOne({ _id: sessionId });
    },
    async list(accountId, idleMs) {
      const found = sessions.find({ accountId, ...live(idleMs) }, { sort: { seenAt: -1 } });
      return (await found.toArray()).map((document) => fromDocument(document));
    },
    async removeOthers(accountId, keptId) {
      await sessions.deleteMany({
        accountId,
        ...(keptId !== null && { _id: { $ne: keptId } }),
      });
    },
  };
}
