import type { MailStore, QueuedMail, UndeliveredMail } from '../../application/site/ports.ts';
import type { Collections } from './collections.ts';
import { fromDocument, toDocument } from './documents.ts';

/** Mails under way, and those that could not be delivered; a TTL index removes what is over. */
export function createMailStore({ mails }: Pick<Collections, 'mails'>): MailStore {
  return {
    async insert(mail) {
      await mails.insertOne(toDocument(mail));
    },
    async findDue(nowMs, limit) {
      const found = mails.find(
        { nextTryAt: { $lte: new Date(nowMs) } },
        { hint: 'due', sort: { nextTryAt: 1 }, limit },
      );
      return (await found.toArray()).map((document) => fromDocument<QueuedMail>(document));
    },
    async claim({ id, nextTryAt }, untilMs) {
      const claimed = await mails.findOneAndUpdate(
        { _id: id, nextTryAt: new Date(nextTryAt) },
        [{ $set: { nextTryAt: new Date(untilMs), tries: { $add: ['$tries', 1] } } }],
        { returnDocument: 'after' },
      );
      return claimed && fromDocument<QueuedMail>(claimed);
    },
    async remove(id) {
      await mails.deleteOne({ _id: id });
    },
    async postpone(id, untilMs, problem) {
      await mails.updateOne({ _id: id }, { $set: { nextTryAt: new Date(untilMs), problem } });
    },
    async giveUp(id, problem) {
      await mails.updateOne({ _id: id }, [
        { $set: { givenUpAt: '$$NOW', problem } },
        { $unset: ['sealed', 'nextTryAt'] },
      ]);
    },
    async findUndelivered(limit) {
      const projection = { sealed: 0 };
      const found = mails.find({}, { sort: { _id: -1 }, limit, projection });
      return (await found.toArray()).map((document) => fromDocument<UndeliveredMail>(document));
    },
  };
}
