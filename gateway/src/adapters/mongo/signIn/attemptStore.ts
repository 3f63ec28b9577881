import { sum } from '@framegate/contract';
import type { AttemptCount, AttemptStore } from '../../../application/ports/site.ts';
import type { Collections } from '../collections.ts';
import { attemptCountCodec } from '../models/attempts.ts';

/** A call that waits for its count. */
interface WaitingCount {
  by: number;
  resolve: (counted: AttemptCount) => void;
  reject: (error: unknown) => void;
}

/**
 * Attempts counted in MongoDB, in database time and across processes; a TTL index removes them. Attempts of one name
 * that arrive during a write share the next one: many simultaneous writes of one document would conflict and slow the
 * whole database down.
 */
export function createAttemptStore({ attempts }: Pick<Collections, 'attempts'>): AttemptStore {
  const waiting = new Map<string, WaitingCount[]>();

  async function add(name: string, windowMs: number, by: number): Promise<AttemptCount> {
    // A window that ends more than one window from now was begun by a fast clock.
    const over = {
      $or: [
        { $lte: [{ $ifNull: ['$endsAt', new Date(0)] }, '$$NOW'] },
        { $gt: ['$endsAt', { $add: ['$$NOW', windowMs] }] },
      ],
    };
    const document = await attempts.findOneAndUpdate(
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
    if (!document) throw new Error('an upsert returned nothing');
    return attemptCountCodec.fromStored(document);
  }

  async function addAll(name: string, windowMs: number, first: WaitingCount): Promise<void> {
    for (let batch = [first]; batch.length > 0; batch = waiting.get(name) ?? []) {
      waiting.set(name, []);
      const added = sum(batch.map(({ by }) => by));
      try {
        const { count, endsAt } = await add(name, windowMs, added);
        let runningCount = count - added;
        for (const { by, resolve } of batch) {
          runningCount += by;
          resolve({ count: runningCount, endsAt });
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    waiting.delete(name);
  }

  return {
    count(name, windowMs, by = 1) {
      return new Promise((resolve, reject) => {
        const call = { by, resolve, reject };
        const others = waiting.get(name);
        if (others) others.push(call);
        else void addAll(name, windowMs, call);
      });
    },
    async clear(name) {
      await attempts.deleteOne({ _id: name });
    },
  };
}
