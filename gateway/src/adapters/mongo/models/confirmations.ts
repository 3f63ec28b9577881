import type { Confirmation } from '../../../application/ports/site.ts';
import { codecOf } from './codec.ts';
import { count, documentSchema, oneOf, text, textOrNull, time, timeOrNull } from './schema.ts';

/** Confirmations sent by email, removed a day after their end. */
export const confirmationSchema = documentSchema('confirmations', {
  _id: text,
  purpose: oneOf(['verify', 'reset', 'prove', 'new email', 'old email']),
  /** Null if no account has the address. */
  accountId: textOrNull,
  email: text,
  codeHash: text,
  attemptsLeft: count,
  expiresAt: time,
  usedAt: timeOrNull,
})
  .index({ expiresAt: 1 }, { name: 'gone', expireAfterSeconds: 86_400 })
  .index({ accountId: 1 }, { name: 'account', sparse: true })
  .index({ email: 1 }, { name: 'email', sparse: true });

export const confirmationCodec = codecOf<Confirmation>()(confirmationSchema);
