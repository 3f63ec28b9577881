import type { FormerKeyStore } from '../../application/ports/formerKeyStore.ts';
import type { ApiKey } from '../../domain/account.ts';
import type { Collections } from './collections.ts';
import { fromDocument, toFields } from './documents.ts';

/** Revoked keys that have left their account, in MongoDB, by key id. */
export function createFormerKeyStore({
  formerKeys,
}: Pick<Collections, 'formerKeys'>): FormerKeyStore {
  return {
    async keep(accountId, keys) {
      await formerKeys.bulkWrite(
        keys.map(({ id, name, hash, lastFour, createdAt, revokedAt }) => ({
          updateOne: {
            filter: { _id: id },
            update: { $set: toFields({ accountId, name, hash, lastFour, createdAt, revokedAt }) },
            upsert: true,
          },
        })),
        { ordered: false },
      );
    },
    async names(accountId, keyIds) {
      const found = formerKeys.find(
        { _id: { $in: [...keyIds] }, accountId },
        { projection: { name: 1 } },
      );
      const keys = (await found.toArray()).map((each) => fromDocument<ApiKey>(each));
      return new Map(keys.map(({ id, name }) => [id, name]));
    },
    async hasHash(hash) {
      return (await formerKeys.findOne({ hash }, { projection: { _id: 1 } })) !== null;
    },
  };
}
