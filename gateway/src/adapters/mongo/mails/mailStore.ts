import type { MailStore, QueuedMail } from '../../../application/ports/mails.ts';
import type { Models } from '../collections.ts';
import { mailCodec, type StoredMail } from '../models/mails.ts';
import { createRecords } from '../records.ts';

/** An abandoned email has neither a text nor a next attempt. */
const isQueued = (mail: StoredMail): mail is QueuedMail =>
  'sealed' in mail && 'nextAttemptAt' in mail;

/** Emails in progress, and undeliverable ones; a TTL index removes old ones. */
export function createMailStore({ mails }: Pick<Models, 'mails'>): MailStore {
  const { insert, list, change, remove } = createRecords(mails, mailCodec);
  return {
    insert,
    remove,
    async findDue(nowMs, limit) {
      const dueFilter = { nextAttemptAt: { $lte: new Date(nowMs) } };
      const due = await list(dueFilter, { hint: 'due', sort: { nextAttemptAt: 1 }, limit });
      return due.filter(isQueued);
    },
    async acquireLease({ id, nextAttemptAt }, untilMs) {
      const leased = await change(
        { _id: id, nextAttemptAt: new Date(nextAttemptAt) },
        { $set: { nextAttemptAt: new Date(untilMs) }, $inc: { attempts: 1 } },
      );
      return leased && isQueued(leased) ? leased : null;
    },
    async putOff(id, untilMs, problem) {
      await change({ _id: id }, { $set: { nextAttemptAt: new Date(untilMs), problem } });
    },
    async giveUp(id, problem) {
      await change({ _id: id }, [
        { $set: { givenUpAt: '$$NOW', problem } },
        { $unset: ['sealed', 'sealedHtml', 'nextAttemptAt'] },
      ]);
    },
    findUndelivered: (limit) =>
      list(
        { isDecoy: { $ne: true } },
        { sort: { _id: -1 }, limit, without: { sealed: 0, sealedHtml: 0 } },
      ),
  };
}
