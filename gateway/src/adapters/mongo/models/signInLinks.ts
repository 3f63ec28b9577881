import type { SignInLink } from '../../../domain/signIn/signInLink.ts';
import { codecOf } from './codec.ts';
import { documentSchema, text, textOrNull, time, timeOrNull } from './schema.ts';

/** Links that sign customers in, by the hash of their token. */
export const signInLinkSchema = documentSchema('signInLinks', {
  _id: text,
  accountId: text,
  returnTo: textOrNull,
  expiresAt: time,
  usedAt: timeOrNull,
})
  .index({ accountId: 1 }, { name: 'account' })
  .index({ expiresAt: 1 }, { name: 'gone', expireAfterSeconds: 0 });

export const signInLinkCodec = codecOf<SignInLink>()(signInLinkSchema);
