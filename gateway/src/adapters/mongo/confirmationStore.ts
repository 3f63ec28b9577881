import type { ConfirmationStore } from '../../application/site/ports.ts';
import type { Collections } from './collections.ts';
import { fromDocument, toDocument } from './documents.ts';

/** Confirmations by mail in MongoDB; a TTL index removes them a day after their end. */
export function createConfirmationStore({
  confirmations,
}: Pick<Collections, 'confirmations'>): ConfirmationStore {
  return {
    async insert(confirmation) {
      await confirmations.insertOne(toDocument(confirmation));
    },
    async find(confirmationId) {
      const found = await confirmations.findOne({ _id: confirmationId });
      return found && fromDocument(found);
    },
    async takeTry(confirmationId) {
      const found = await confirmations.findOneAndUpdate(
        {
          _id: confirmationId,
          usedAt: null,
          triesLeft: { $gt: 0 },
          $expr: { $gt: ['$expiresAt', '$$NOW'] },
        },
        [{ $set: { triesLeft: { $subtract: ['$triesLeft', 1] } } }],
        { returnDocument: 'after' },
      );
      return found && fromDocument(found);
    },
    async markUsed(confirmationId) {
      await confirmations.updateOne({ _id: confirmationId }, [{ $set: { usedAt: '$$NOW' } }]);
    },
  };
}
