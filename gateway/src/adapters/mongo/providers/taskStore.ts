import { shareCalls } from '@framegate/limits';
import type { TaskStore } from '../../../application/ports/providerTasks.ts';
import type { Clock } from '../../../application/ports/system.ts';
import { taskKeptMs } from '../../../domain/generations/providerTask.ts';
import type { Collections } from '../collections.ts';
import { sharedSize } from '../generations/sharedUpdates.ts';

/** Providers' tasks in MongoDB. Simultaneous claims share a statement; a TTL index removes old ones. */
export function createTaskStore(
  { providerTasks }: Pick<Collections, 'providerTasks'>,
  clock: Pick<Clock, 'now'>,
): TaskStore {
  type Claim = Readonly<Record<'task' | 'generationId', string>>;

  const claim = shareCalls(sharedSize, async (claims: readonly Claim[]) => {
    const goneAt = new Date(clock.now() + taskKeptMs);
    const { upsertedIds } = await providerTasks.bulkWrite(
      claims.map(({ task: _id, generationId }) => ({
        updateOne: {
          filter: { _id },
          update: { $setOnInsert: { generationId, goneAt } },
          upsert: true,
        },
      })),
      { ordered: false },
    );
    const claimedBefore = claims
      .filter((_, index) => !(index in upsertedIds))
      .map(({ task }) => task);
    const cursor =
      claimedBefore.length > 0
        ? await providerTasks.find({ _id: { $in: claimedBefore } }).toArray()
        : [];
    const owners = new Map(cursor.map(({ _id, generationId }) => [_id, generationId]));
    return claims.map(({ task, generationId }) => owners.get(task) ?? generationId);
  });

  return { claim: (task, generationId) => claim({ task, generationId }) };
}
