import type { FindKeysInUse, KeyInUse } from '../../../application/ports/providers.ts';
import { type Collections, shortReadMs } from '../collections.ts';

/** Maximum jobs read. */
const maxJobs = 10_000;

/** Reads the keys used by unfinished jobs. */
export function createFindKeysInUse({
  generations,
}: Pick<Collections, 'generations'>): FindKeysInUse {
  const last = { $arrayElemAt: ['$attempts', -1] };
  return async () => {
    const rows = await generations
      .aggregate<{ _id: Omit<KeyInUse, 'generations' | 'key'> & { key?: string }; count: number }>(
        [
          { $match: { open: true, step: 'submitted' } },
          { $limit: maxJobs },
          { $replaceWith: last },
          { $match: { keyPrint: { $exists: true } } },
          {
            $group: {
              _id: { provider: '$provider', model: '$model', key: '$key', keyPrint: '$keyPrint' },
              count: { $sum: 1 },
            },
          },
        ],
        { hint: 'unfinished', maxTimeMS: shortReadMs },
      )
      .toArray();
    return rows.map(({ _id, count }) => ({ ..._id, key: _id.key ?? null, generations: count }));
  };
}
