import type { StaffWrites } from '../../application/staff/ports.ts';
import type { Generation } from '../../domain/generation.ts';
import type { Collections } from './collections.ts';
import { fromDocument, toFields } from './documents.ts';
import { asUnavailable, translating } from './errors.ts';

/** What staff write about generations: never their status, step, lease or credits. */
export function createStaffWrites(collections: Collections): StaffWrites {
  const { generations, sessions, confirmations, keyUses, formerKeys, realPersonAudit } =
    collections;
  const line = (at: number, what: string) => ({ timeline: toFields({ at, what }) as never });
  const writes: StaffWrites = {
    async resolve(generationId, resolution, what) {
      const done = await generations.updateOne(
        { _id: generationId, open: false, resolution: null },
        {
          $set: { resolution: toFields(resolution) },
          $push: line(resolution.resolvedAt, what),
        },
      );
      return done.modifiedCount === 1;
    },
    async markTakenDown(generationId, nowMs, what) {
      const done = await generations.updateOne(
        {
          _id: generationId,
          status: 'completed',
          'outputs.0': { $exists: true },
          outputsDeletedAt: null,
        },
        { $set: { outputsDeletedAt: new Date(nowMs) }, $push: line(nowMs, what) },
      );
      return done.modifiedCount === 1;
    },
    async note(generationId, nowMs, what) {
      await generations.updateOne({ _id: generationId }, { $push: line(nowMs, what) });
    },
    async toErase(accountId, after, limit) {
      const found = generations.find(
        { accountId, _id: { $gt: after }, open: false, erased: { $ne: true } },
        // The index of the history, read backwards: each page begins where the last one ended.
        { sort: { accountId: -1, _id: 1 }, hint: 'history', limit },
      );
      return (await found.toArray()).map((document) => fromDocument<Generation>(document));
    },
    async erase(generationIds, nowMs) {
      const now = new Date(nowMs);
      const filled = { $gt: [{ $size: '$outputs' }, 0] };
      await generations.updateMany({ _id: { $in: [...generationIds] }, open: false }, [
        {
          $set: {
            prompt: '',
            inputs: [],
            storedInputs: null,
            replay: null,
            erased: true,
            // A provider's own words and answers may quote the prompt.
            answers: '$$REMOVE',
            attempts: {
              $map: { input: '$attempts', in: { $mergeObjects: ['$$this', { note: null }] } },
            },
            realPerson: {
              $cond: [
                { $eq: [{ $type: '$realPerson' }, 'object'] },
                { $mergeObjects: ['$realPerson', { callerAddress: '' }] },
                null,
              ],
            },
            outputsDeletedAt: { $cond: [filled, { $ifNull: ['$outputsDeletedAt', now] }, null] },
          },
        },
      ]);
    },
    async eraseTraces(accountId, email, keyIds) {
      await sessions.deleteMany({ accountId });
      await confirmations.deleteMany({ $or: [{ accountId }, { email }] });
      await formerKeys.deleteMany({ accountId });
      await keyUses.deleteMany({ _id: { $in: [...keyIds] } });
      // Who vouched for a likeness stays on record for its time, but not from where.
      await realPersonAudit.updateMany({ accountId }, { $set: { callerAddress: '' } });
    },
  };
  return translating(writes, asUnavailable);
}
