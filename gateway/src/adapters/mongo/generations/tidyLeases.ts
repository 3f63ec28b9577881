import { randomUUID } from 'node:crypto';
import { hourMs, minuteMs } from '@framegate/contract';
import type { UpkeepStore } from '../../../application/ports/upkeep.ts';
import type { Collections } from '../collections.ts';
import { generationCodec } from '../models/generations.ts';
import { attemptFields, parseStoredGeneration } from './generationWrites.ts';

/** How long a lease to tidy holds, in ms: the first value, doubled with each failed attempt up to the second. */
const leaseMs = { first: 2 * minuteMs, max: 6 * hourMs };

/** Leases of ended generations whose texts or files are due for removal. */
export const tidyLeases = ({
  generations,
}: Pick<Collections, 'generations'>): Pick<UpkeepStore, 'acquireTidyLeases' | 'markTidied'> => ({
  async acquireTidyLeases(nowMs, limit, skip) {
    // The partial index starts at the epoch.
    const dueFilter = { tidyAt: { $gt: new Date(0), $lte: new Date(nowMs) } };
    const documents = await generations
      .find(dueFilter, { sort: { tidyAt: 1 }, skip, limit, projection: { responses: 0 } })
      .toArray();
    if (documents.length === 0) return [];
    const tidyLease = randomUUID();
    const these = {
      _id: { $in: documents.map(({ _id }) => _id) },
      accountId: { $in: [...new Set(documents.map(({ accountId }) => accountId))] },
    };
    const attempts = { $min: [{ $ifNull: ['$tidyAttempts', 0] }, 20] };
    const heldMs = { $min: [leaseMs.max, { $multiply: [leaseMs.first, { $pow: [2, attempts] }] }] };
    await generations.updateMany({ ...these, ...dueFilter }, [
      {
        $set: {
          tidyLease,
          // The first due time shows which removals are already done.
          tidyDueAt: { $ifNull: ['$tidyDueAt', '$tidyAt'] },
          tidyAttempts: { $add: [attempts, 1] },
          tidyAt: { $add: [new Date(nowMs), heldMs] },
        },
      },
    ]);
    const leased = await generations
      .find({ ...these, tidyLease }, { projection: { tidyAt: 1, tidyDueAt: 1 } })
      .toArray();
    const untils = new Map(
      leased.flatMap(({ _id, tidyAt, tidyDueAt }) =>
        tidyAt && tidyDueAt
          ? [[_id, { until: tidyAt.getTime(), tidyAt: tidyDueAt.getTime() }]]
          : [],
      ),
    );
    return documents.flatMap((document) => {
      const lease = untils.get(document._id);
      if (!lease) return [];
      const generation = { ...parseStoredGeneration(document), tidyAt: lease.tidyAt };
      return [{ generation, until: lease.until }];
    });
  },

  async markTidied(tidied) {
    if (tidied.length === 0) return;
    const released = { tidyLease: true, tidyDueAt: true, tidyAttempts: true } as const;
    const ids = tidied.map(({ lease }) => lease.generation.id);
    await generations.bulkWrite(
      [
        ...tidied.map(({ lease: { generation, until }, change: { attempts, ...change } }) => ({
          updateOne: {
            // Nothing read before an erasure is written after it.
            filter: {
              _id: generation.id,
              accountId: generation.accountId,
              tidyAt: new Date(until),
              erased: { $ne: true },
            },
            update: {
              $set: {
                ...generationCodec.toFields(change),
                ...(attempts && attemptFields(attempts)),
              },
              $unset: released,
            },
          },
        })),
        {
          updateMany: {
            filter: { _id: { $in: ids }, erased: true },
            update: { $set: { tidyAt: null }, $unset: released },
          },
        },
      ],
      { ordered: false },
    );
  },
});
