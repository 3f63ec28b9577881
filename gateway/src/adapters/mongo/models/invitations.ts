import type { SentInvitation } from '../../../application/ports/invitations.ts';
import { codecOf } from './codec.ts';
import { count, documentSchema, text, time, timeOrNull } from './schema.ts';

/** Invitations to sign up, by address, until their links have ended. */
export const invitationSchema = documentSchema('invitations', {
  _id: text,
  sentAt: time,
  times: count,
  until: time,
  revokedUntil: timeOrNull,
  goneAt: time,
})
  .index({ sentAt: -1 }, { name: 'newest' })
  .index({ goneAt: 1 }, { name: 'gone', expireAfterSeconds: 0 });

export const invitationCodec = codecOf<SentInvitation>()(invitationSchema);
