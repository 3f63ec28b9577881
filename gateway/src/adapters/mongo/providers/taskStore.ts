import { shareCalls } from '@framegate/limits';
import type { TaskStore } from '../../../application/ports/providerTasks.ts';
import type { Clock } from '../../../application/ports/system.ts';
import { taskKeptMs } from '../../../domain/generations/providerTask.ts';
import type { Collections } from '../collections.ts';
import { sharedSize } from '../generations/sharedUpdates.ts';

/** Providers' tasks in MongoDB. Simultaneous assignments share a statement; a TTL index removes old ones. */
export function createTaskStore(
  { providerTasks }: Pick<Collections, 'providerTasks'>,
  clock: Pick<Clock, 'now'>,
): TaskStore {
  type Assignment = Readonly<Record<'task' | 'generationId', string>>;

  const assign = shareCalls(sharedSize, async (assignments: readonly Assignment[]) => {
    const goneAt = new Date(clock.now() + taskKeptMs);
    const { upsertedIds } = await providerTasks.bulkWrite(
      assignments.map(({ task: _id, generationId }) => ({
        updateOne: {
          filter: { _id },
          update: { $setOnInsert: { generationId, goneAt } },
          upsert: true,
        },
      })),
      { ordered: false },
    );
    const assignedBefore = assignments
      .filter((_, index) => !(index in upsertedIds))
      .map(({ task }) => task);
    const cursor =
      assignedBefore.length > 0
        ? await providerTasks.find({ _id: { $in: assignedBefore } }).toArray()
        : [];
    const owners = new Map(cursor.map(({ _id, generationId }) => [_id, generationId]));
    return assignments.map(({ task, generationId }) => owners.get(task) ?? generationId);
  });

  return { assign: (task, generationId) => assign({ task, generationId }) };
}
