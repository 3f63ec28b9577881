import type { StaffWrites } from '../../application/staff/ports.ts';
import type { Collections } from './collections.ts';
import { toFields } from './documents.ts';

/** What staff write about generations: never their status, step, lease or credits. */
export function createStaffWrites(collections: Collections): StaffWrites {
  const { generations, sessions, confirmations, keyUses, formerKeys, realPersonAudit } =
    collections;
  const line = (at: number, what: string) => ({ timeline: toFields({ at, what }) as never });
  return {
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
    async eraseTraces(accountId, email, keyIds) {
      await sessions.deleteMany({ accountId });
      await confirmations.deleteMany({ $or: [{ accountId }, { email }] });
      await formerKeys.deleteMany({ accountId });
      await keyUses.deleteMany({ _id: { $in: [...keyIds] } });
      // Who vouched for a likeness stays on record for its time, but not from where.
      await realPersonAudit.updateMany({ accountId }, { $set: { callerAddress: '' } });
    },
  };
}
