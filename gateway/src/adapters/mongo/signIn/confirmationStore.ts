import type { ConfirmationStore } from '../../../application/ports/site.ts';
import type { Models } from '../collections.ts';
import { confirmationCodec } from '../models/confirmations.ts';
import { afterNowExpression, createRecords } from '../records.ts';

/** Confirmations by email in MongoDB; a TTL index removes them a day after their end. */
export function createConfirmationStore({
  confirmations,
}: Pick<Models, 'confirmations'>): ConfirmationStore {
  const { insert, find, change } = createRecords(confirmations, confirmationCodec);
  return {
    insert,
    find,
    takeTry: (confirmationId) =>
      change(
        {
          _id: confirmationId,
          usedAt: null,
          attemptsLeft: { $gt: 0 },
          $expr: afterNowExpression('expiresAt'),
        },
        { $inc: { attemptsLeft: -1 } },
      ),
    async markUsed(confirmationId) {
      await change({ _id: confirmationId }, [{ $set: { usedAt: '$$NOW' } }]);
    },
  };
}
