import type { SignOnRequest } from '../../../application/ports/signOn.ts';
import { codecOf } from './codec.ts';
import { documentSchema, oneOf, text, textOrNull, time, timeOrNull } from './schema.ts';

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
