import { shareCalls } from '@framegate/limits';
import type { Collections } from '../collections.ts';
import { isDatabaseTrouble, retry } from '../errors.ts';
import type { GuardedUpdate } from './generationWrites.ts';

/** Maximum writes per statement, and maximum concurrent statements. */
export const sharedSize = { maxItems: 100, maxCalls: 4 };
/** How long a shared statement waits for a document locked by a transaction, in ms. */
export const lockedMs = 2_000;
/** How long to retry a write under a lease, in ms: an election takes about ten seconds, a lease thirty. */
const writeWithinMs = 20_000;

/**
 * Updates of generations under their leases: simultaneous ones share a statement, in which each keeps its own
 * conditions. Repeating one, because another in its statement missed or the response was lost, changes nothing.
 * @returns Writes an update; false if it matched nothing.
 */
export function createSharedUpdates({
  generations,
}: Pick<Collections, 'generations'>): (update: GuardedUpdate) => Promise<boolean> {
  const writeAlone = async ({ filter, update }: GuardedUpdate) =>
    (await generations.updateOne(filter, update)).matchedCount === 1;

  /** Whether all were written: the statement does not report which were not. */
  async function writeAll(updates: readonly GuardedUpdate[]): Promise<boolean> {
    try {
      const result = await generations.bulkWrite(
        updates.map((updateOne) => ({ updateOne })),
        { ordered: false, maxTimeMS: lockedMs },
      );
      return result.matchedCount === updates.length;
    } catch (error) {
      if (isDatabaseTrouble(error)) throw error;
      return false;
    }
  }

  const share = shareCalls(sharedSize, async (updates: readonly GuardedUpdate[]) => {
    const [first] = updates;
    if (first && updates.length === 1) return [await writeAlone(first)];
    const isWritten = await writeAll(updates);
    return updates.map(() => (isWritten ? true : null));
  });

  return (update) => {
    let mayShare = true;
    // A provider may have accepted an order, or may be about to, so the record must survive an election. A repeat fails
    // on the epoch if another process has taken the generation.
    return retry(
      async () => {
        const shared = mayShare ? share(update) : null;
        mayShare = false;
        return (await shared) ?? (await writeAlone(update));
      },
      { on: isDatabaseTrouble, withinMs: writeWithinMs, maxPauseMs: 500 },
    );
  };
}
