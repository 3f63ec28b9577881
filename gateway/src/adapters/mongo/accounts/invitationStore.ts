import type { InvitationStore } from '../../../application/ports/invitations.ts';
import type { Models } from '../collections.ts';
import { invitationCodec } from '../models/invitations.ts';
import { createRecords } from '../records.ts';

/** Invitations in MongoDB; a TTL index removes those with expired links. */
export function createInvitationStore({
  invitations,
}: Pick<Models, 'invitations'>): InvitationStore {
  const { find, list } = createRecords(invitations, invitationCodec);
  return {
    listNewest: (limit) => list({}, { sort: { sentAt: -1 }, hint: 'newest', limit }),
    find,
    async recordSent(email, { nowMs, until }) {
      const end = new Date(until);
      await invitations.updateOne(
        { _id: email },
        {
          $set: { sentAt: new Date(nowMs), until: end, goneAt: end },
          $inc: { times: 1 },
          $setOnInsert: { revokedUntil: null },
        },
        { upsert: true },
      );
    },
    async revoke(email, { nowMs, until }) {
      const end = new Date(until);
      await invitations.updateOne(
        { _id: email },
        {
          $set: { revokedUntil: end, goneAt: end },
          $setOnInsert: { sentAt: new Date(nowMs), until: end, times: 0 },
        },
        { upsert: true },
      );
    },
  };
}
