import type { FindKeysInUse, KeyInUse } from '../../../application/ports/providers.ts';
import type { Collections } from '../collections.ts';

/** Jobs read at most. */
const maxJobs = 10_000;
/** How long the query may take on the server, in ms. */
const maxTimeMS = 5_000;

/** Reads the keys with which unfinished jobs were made. */
export function createFindKeysInUse({
  generations,
}: Pick<Collections, 'generations'>): FindKeysInUse {
  const last = { $arrayElemAt: ['$attempts', -1] };
  return async () => {
    const found = await generations
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
        { hint: 'unfinished', maxTimeMS },
      )
      .toArray();
    return found.map(({ _id, count }) => ({ ..._id, key: _id.key ?? null, generations: count }));
  };
}
