import type { UploadStore } from '../../../application/ports/media.ts';
import type { Clock } from '../../../application/ports/system.ts';
import { type Collections, listPages, type Models } from '../collections.ts';
import { uploadCodec } from '../models/uploads.ts';
import { createRecords } from '../records.ts';

/** More than an account can have: the use case limits their number. */
const maxOfAccount = 200;

/** Uploads in MongoDB, by their ids. */
export function createUploadStore(
  { uploads }: Pick<Models, 'uploads'>,
  collections: Pick<Collections, 'uploads'>,
  clock: Pick<Clock, 'now'>,
): UploadStore {
  const { insert, find, list, change, remove } = createRecords(uploads, uploadCodec);
  return {
    insert,
    remove,
    async find(id) {
      const upload = await find(id);
      return upload && upload.expiresAt > clock.now() ? upload : null;
    },
    expire: (id) => change({ _id: id }, { $min: { expiresAt: new Date(clock.now()) } }),
    listOfAccount: (accountId) => list({ accountId }, { hint: 'account', limit: maxOfAccount }),
    async keepUntil({ accountId, generationId }, ids, untilMs) {
      const until = new Date(untilMs);
      await uploads.updateMany(
        { _id: { $in: [...ids] }, accountId },
        {
          $max: { neededUntil: until, expiresAt: until },
          $addToSet: { neededBy: generationId },
        },
      );
    },
    async release(generationId, ids) {
      await uploads.updateMany(
        { _id: { $in: [...ids] }, neededBy: generationId },
        { $pull: { neededBy: generationId } },
      );
    },
    listExpired: (nowMs) =>
      listPages(
        collections.uploads.find(
          { expiresAt: { $lte: new Date(nowMs) } },
          { hint: 'expiry', sort: { expiresAt: 1 }, projection: { _id: 1 } },
        ),
      ),
    async expireAll(accountId) {
      const expiresAt = new Date(clock.now());
      return (await uploads.updateMany({ accountId }, { $set: { expiresAt } })).matchedCount;
    },
  };
}
