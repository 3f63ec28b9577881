import mongoose from 'mongoose';
import { shareCalls } from '@framegate/limits';
import type { Generation } from '../../../domain/generations/generation.ts';
import type { Collections } from '../collections.ts';
import { leaseExpired, parseStoredGeneration } from './generationWrites.ts';
import { lockedMs, sharedSize } from './sharedUpdates.ts';

const timeLimitCode = 50;

/** A request for a lease. */
interface LeaseRequest {
  id: string;
  accountId: string;
  leaseMs: number;
  /** The required epoch, if any. */
  epoch?: number | undefined;
}

/** Reserves the next poll: no other process polls until then, and writes of earlier holders miss. */
export const reservation = (forMs: number, leasedBy: string) => ({
  dueAt: { $add: ['$$NOW', forMs] },
  epoch: { $add: ['$epoch', 1] },
  leasedBy,
});

/** Acquires the lease as well, so that no other process works on it. */
const leaseChange = (leaseMs: number, leasedBy: string) => ({
  ...reservation(leaseMs, leasedBy),
  leaseUntil: { $add: ['$$NOW', leaseMs] },
});

const theseOf = (all: readonly LeaseRequest[]) => ({
  _id: { $in: all.map(({ id }) => id) },
  accountId: { $in: all.map(({ accountId }) => accountId) },
});

const projection = { replay: 0, responses: 0 } as const;

/**
 * Acquires leases of generations: simultaneous requests share two statements, in which each keeps its own conditions.
 * @param newLeaseName Names a batch, so that the winner can find its documents.
 * @param isRecovering Whether the database has only just become reachable again.
 * @returns Acquires a lease; null if another process holds it or the generation has ended.
 */
export function createSharedLeases(
  { generations }: Pick<Collections, 'generations'>,
  newLeaseName: () => string,
  isRecovering: () => boolean,
): (request: LeaseRequest) => Promise<Generation | null> {
  const filterOf = ({ id, accountId, epoch }: LeaseRequest) => {
    // Taking over the expired lease of a provider call means treating the call as failed. After an outage of the
    // database, the holder may be alive and have the paid result.
    const step = isRecovering() ? ({ step: { $ne: 'submitting' } } as const) : {};
    const ofEpoch = epoch === undefined ? {} : { epoch };
    return { _id: id, accountId, open: true, ...ofEpoch, ...step, ...leaseExpired };
  };

  async function acquireAlone(request: LeaseRequest): Promise<Generation | null> {
    const leased = await generations.findOneAndUpdate(
      filterOf(request),
      [{ $set: leaseChange(request.leaseMs, newLeaseName()) }],
      { returnDocument: 'after', projection },
    );
    return leased && parseStoredGeneration({ ...leased, replay: null });
  }

  /** @returns Whether the statement completed. */
  async function writeAll(all: readonly LeaseRequest[], name: string): Promise<boolean> {
    const statements = all.map((request) => ({
      updateOne: {
        filter: filterOf(request),
        update: [{ $set: leaseChange(request.leaseMs, name) }],
      },
    }));
    try {
      await generations.bulkWrite(statements, { ordered: false, maxTimeMS: lockedMs });
      return true;
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (error instanceof mongoose.mongo.MongoServerError && code === timeLimitCode) return false;
      throw error;
    }
  }

  const share = shareCalls(sharedSize, async (all: readonly LeaseRequest[]) => {
    const [first] = all;
    if (first && all.length === 1) return [await acquireAlone(first)];
    const name = newLeaseName();
    const isComplete = await writeAll(all, name);
    const options = { hint: '_id_', projection, batchSize: sharedSize.maxItems + 1 };
    const mine = await generations.find({ ...theseOf(all), leasedBy: name }, options).toArray();
    const byId = new Map(mine.map((document) => [document._id, document]));
    return all.map(({ id }) => {
      const leased = byId.get(id);
      // If two requests of one process want the same generation, one gets it.
      byId.delete(id);
      if (leased) return parseStoredGeneration({ ...leased, replay: null });
      return isComplete ? null : 'alone';
    });
  });

  return async (request) => {
    const leased = await share(request);
    return leased === 'alone' ? acquireAlone(request) : leased;
  };
}
