import type { AttemptStore } from '../../application/site/ports.ts';
import type { Collections } from './collections.ts';
import { fromDocument } from './documents.ts';

/** Attempts counted in MongoDB, in database time and over all processes; a TTL index forgets them. */
export function createAttemptStore({ attempts }: Pick<Collections, 'attempts'>): AttemptStore {
  return {
    async count(name, windowMs, by = 1) {
      const over = { $lte: [{ $ifNull: ['$endsAt', new Date(0)] }, '$$NOW'] };
      const counted = await attempts.findOneAndUpdate(
        { _id: name },
        [
          {
            $set: {
              count: { $cond: [over, by, { $add: ['$count', by] }] },
              endsAt: { $cond: [over, { $add: ['$$NOW', windowMs] }, '$endsAt'] },
            },
          },
        ],
        { upsert: true, returnDocument: 'after' },
      );
      if (!counted) throw new Error('an upsert answered nothing');
      return fromDocument(counted);
    },
    async clear(name) {
      await attempts.deleteOne({ _id: name });
    },
  };
}
