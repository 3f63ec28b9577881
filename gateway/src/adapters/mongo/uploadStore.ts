import type { Clock } from '../../application/ports/system.ts';
import type { UploadStore } from '../../application/ports/media.ts';
import type { Upload } from '../../domain/mediaFiles.ts';
import { fromDocument, toDocument, pagesOf, type Collections } from './collections.ts';

/** More than an account has: its uploads are bounded when one is added. */
const maxOfAccount = 200;

/** Uploads in MongoDB, by their ids. */
export function createUploadStore(
  { uploads }: Pick<Collections, 'uploads'>,
  clock: Pick<Clock, 'now'>,
): UploadStore {
  return {
    async insert(upload) {
      await uploads.insertOne(toDocument(upload));
    },
    async find(id) {
      const found = await uploads.findOne({ _id: id });
      const upload = found && fromDocument<Upload>(found);
      return upload && upload.expiresAt > clock.now() ? upload : null;
    },
    async expire(id) {
      const found = await uploads.findOneAndUpdate(
        { _id: id },
        { $min: { expiresAt: new Date(clock.now()) } },
        { returnDocument: 'after' },
      );
      return found && fromDocument<Upload>(found);
    },
    async ofAccount(accountId) {
      const found = uploads.find({ accountId }, { hint: 'account', limit: maxOfAccount });
      return (await found.toArray()).map((document) => fromDocument<Upload>(document));
    },
    async keepUntil({ accountId, generationId }, ids, untilMs) {
      const until = new Date(untilMs);
      await uploads.updateMany(
        { _id: { $in: [...ids] }, accountId },
        {
          $max: { neededUntil: until, expiresAt: until },
          $addToSet: { neededBy: generationId as never },
        },
      );
    },
    async release(generationId, ids) {
      await uploads.updateMany(
        { _id: { $in: [...ids] }, neededBy: generationId },
        { $pull: { neededBy: generationId as never } },
      );
    },
    expired: (nowMs) =>
      pagesOf(
        uploads.find(
          { expiresAt: { $lte: new Date(nowMs) } },
          { hint: 'expiry', sort: { expiresAt: 1 }, projection: { _id: 1 } },
        ),
      ),
    async expireAll(accountId) {
      await uploads.updateMany(
        { accountId },
        { $set: { expiresAt: new Date(clock.now()) } },
        { hint: 'account' },
      );
    },
    async remove(id) {
      await uploads.deleteOne({ _id: id });
    },
  };
}
