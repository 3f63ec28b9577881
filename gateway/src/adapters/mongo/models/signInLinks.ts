import type { SignOnRequest } from '../../../application/ports/signOn.ts';
import type { SignInLink } from '../../../domain/signIn/signInLink.ts';
import { codecOf } from './codec.ts';
import { documentSchema, oneOf, text, textOrNull, time, timeOrNull } from './schema.ts';

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

/** Sign-ons under way, by the hash of their state. */
export const signOnRequestSchema = documentSchema('signOnRequests', {
  _id: text,
  browser: text,
  nonce: text,
  verifier: text,
  purpose: oneOf(['site', 'link', 'staff']),
  accountId: textOrNull,
  next: textOrNull,
  expiresAt: time,
  usedAt: timeOrNull,
}).index({ expiresAt: 1 }, { name: 'gone', expireAfterSeconds: 0 });

export const signOnRequestCodec = codecOf<SignOnRequest>()(signOnRequestSchema);
