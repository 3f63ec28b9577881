import type { QueuedMail, UndeliveredMail } from '../../../application/ports/mails.ts';
import { codecOf } from './codec.ts';
import { count, documentSchema, flagIfAny, text, textIfAny, time, timeIfAny } from './schema.ts';

/** Emails waiting to be sent, and undeliverable ones. */
export const mailSchema = documentSchema('mails', {
  _id: text,
  /** Empty for a decoy. */
  to: text,
  subject: text,
  /** Text and HTML, encrypted; gone with `nextAttemptAt` when the email is given up. */
  sealed: textIfAny,
  sealedHtml: textIfAny,
  nextAttemptAt: timeIfAny,
  attempts: count,
  createdAt: time,
  validUntil: time,
  goneAt: time,
  problem: textIfAny,
  isDecoy: flagIfAny,
  givenUpAt: timeIfAny,
})
  .index({ nextAttemptAt: 1 }, { name: 'due', sparse: true })
  .index({ goneAt: 1 }, { name: 'gone', expireAfterSeconds: 0 })
  .index({ to: 1 }, { name: 'to' });

/** An email in any state. */
export type StoredMail = UndeliveredMail & Partial<QueuedMail>;

export const mailCodec = codecOf<StoredMail>()(mailSchema);
