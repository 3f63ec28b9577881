import type { CollectionStore, ShareStore, WallStore } from '../../application/ports/wall.ts';
import type { Collections, Models } from './collections.ts';
import { withoutPrompt } from './erasureStore.ts';
import { generationOf } from './generationWrites.ts';
import { collectionCodec, shareCodec } from './models/wall.ts';
import { createRecords, isAfterNow } from './records.ts';

/** More than an account has: the use case bounds their number. */
const maxOfAccount = 200;

/** Collections in MongoDB, by their ids. */
export function createCollectionStore({
  collections,
}: Pick<Models, 'collections'>): CollectionStore {
  const { insert, list, change } = createRecords(collections, collectionCodec);
  return {
    insert,
    async ofAccount(accountId) {
      const found = await list({ accountId }, { hint: 'account', limit: maxOfAccount });
      return found.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
    },
    async rename(accountId, id, name) {
      await change({ _id: id, accountId }, { $set: { name } });
    },
    async remove(accountId, id) {
      await collections.deleteOne({ _id: id, accountId });
    },
  };
}

/** Links to generations in MongoDB; a TTL index removes those that have expired. */
export function createShareStore({ shares }: Pick<Models, 'shares'>): ShareStore {
  const { findOne, list } = createRecords(shares, shareCodec);
  const isLive = { $expr: isAfterNow('expiresAt') };
  return {
    async put({ id, ...share }) {
      const { _id, ...fields } = shareCodec.toStored({ id, ...share });
      await shares.updateOne({ _id }, { $set: fields }, { upsert: true });
    },
    find: (generationId) => findOne({ _id: generationId, ...isLive }),
    ofAccount: (accountId, limit) => list({ accountId, ...isLive }, { hint: 'account', limit }),
    findByToken: (tokenHash) => findOne({ tokenHash, ...isLive }),
    async remove(accountId, generationIds) {
      await shares.deleteMany({ _id: { $in: [...generationIds] }, accountId });
    },
    async removeAll(accountId) {
      await shares.deleteMany({ accountId });
    },
  };
}

/** An owner's changes of generations in MongoDB. */
export function createWallStore({ generations }: Pick<Collections, 'generations'>): WallStore {
  const own = (accountId: string, ids: readonly string[]) =>
    ({ _id: { $in: [...ids] }, accountId, removedAt: null }) as const;
  return {
    async setFavourite(accountId, ids, isOne) {
      const update = isOne
        ? ({ $set: { favourite: true } } as const)
        : ({ $unset: { favourite: true } } as const);
      await generations.updateMany(own(accountId, ids), update);
    },
    async addTo(accountId, ids, { id, most }) {
      const hasRoom = { [`collectionIds.${most - 1}`]: { $exists: false } };
      await generations.updateMany(
        { ...own(accountId, ids), ...hasRoom },
        { $addToSet: { collectionIds: id } },
      );
    },
    async takeOut(accountId, ids, collectionId) {
      await generations.updateMany(own(accountId, ids), { $pull: { collectionIds: collectionId } });
    },
    async markRemoved(accountId, ids, nowMs) {
      const removedAt = new Date(nowMs);
      await generations.updateMany({ ...own(accountId, ids), open: false }, [
        ...withoutPrompt(removedAt),
        {
          $set: {
            removedAt,
            tidyAt: removedAt,
            outputsDeleteAt: {
              $cond: [{ $gt: [{ $size: '$outputs' }, 0] }, removedAt, '$outputsDeleteAt'],
            },
            timeline: {
              $concatArrays: ['$timeline', [{ at: removedAt, what: 'deleted by its owner' }]],
            },
          },
        },
        { $unset: ['favourite', 'collectionIds'] },
      ]);
      const marked = generations.find(
        { _id: { $in: [...ids] }, accountId, removedAt },
        { projection: { answers: 0 } },
      );
      return (await marked.toArray()).map(generationOf);
    },
  };
}
