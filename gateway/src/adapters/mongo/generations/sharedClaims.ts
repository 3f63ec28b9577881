import mongoose from 'mongoose';
import { shareCalls } from '@framegate/limits';
import type { Generation } from '../../../domain/generations/generation.ts';
import type { Collections } from '../collections.ts';
import { generationOf, leaseExpired } from './generationWrites.ts';
import { lockedMs, sharedSize } from './sharedUpdates.ts';

const timeLimitCode = 50;

/** A request for a lease. */
interface ClaimRequest {
  id: string;
  accountId: string;
  leaseMs: number;
  /** The required epoch, if any. */
  epoch?: number | undefined;
}

/** Reserves the next poll: no other process polls until then, and writes of earlier holders miss. */
export const reservation = (forMs: number, claimedBy: string) => ({
  dueAt: { $add: ['$$NOW', forMs] },
  epoch: { $add: ['$epoch', 1] },
  claimedBy,
});

/** Also takes the lease, so that no other process works on it. */
const lease = (leaseMs: number, claimedBy: string) => ({
  ...reservation(leaseMs, claimedBy),
  leaseUntil: { $add: ['$$NOW', leaseMs] },
});

const theseOf = (all: readonly ClaimRequest[]) => ({
  _id: { $in: all.map(({ id }) => id) },
  accountId: { $in: all.map(({ accountId }) => accountId) },
});

const projection = { replay: 0, responses: 0 } as const;

/**
 * Takes leases of generations: simultaneous claims share two statements, in which each keeps its own conditions.
 * @param newClaim Names a batch, so that the winner can find the claimed documents.
 * @param isRecovering Whether the database has only just become reachable again.
 * @returns Takes a lease; null if another process holds it or the generation has ended.
 */
export function createSharedClaims(
  { generations }: Pick<Collections, 'generations'>,
  newClaim: () => string,
  isRecovering: () => boolean,
): (request: ClaimRequest) => Promise<Generation | null> {
  const filterOf = ({ id, accountId, epoch }: ClaimRequest) => {
    // Taking over the lapsed lease of a provider call gives the call up for lost. After an outage of the database, the
    // holder may be alive and have the paid result.
    const step = isRecovering() ? ({ step: { $ne: 'submitting' } } as const) : {};
    const ofEpoch = epoch === undefined ? {} : { epoch };
    return { _id: id, accountId, open: true, ...ofEpoch, ...step, ...leaseExpired };
  };

  async function claimAlone(request: ClaimRequest): Promise<Generation | null> {
    const claimed = await generations.findOneAndUpdate(
      filterOf(request),
      [{ $set: lease(request.leaseMs, newClaim()) }],
      { returnDocument: 'after', projection },
    );
    return claimed && generationOf({ ...claimed, replay: null });
  }

  /** @returns Whether the statement completed. */
  async function writeAll(all: readonly ClaimRequest[], claim: string): Promise<boolean> {
    const statements = all.map((request) => ({
      updateOne: { filter: filterOf(request), update: [{ $set: lease(request.leaseMs, claim) }] },
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

  const share = shareCalls(sharedSize, async (all: readonly ClaimRequest[]) => {
    const [first] = all;
    if (first && all.length === 1) return [await claimAlone(first)];
    const claim = newClaim();
    const isComplete = await writeAll(all, claim);
    const options = { hint: '_id_', projection, batchSize: sharedSize.maxItems + 1 };
    const mine = await generations.find({ ...theseOf(all), claimedBy: claim }, options).toArray();
    const byId = new Map(mine.map((document) => [document._id, document]));
    return all.map(({ id }) => {
      const claimed = byId.get(id);
      // If two claims of one process want the same generation, one gets it.
      byId.delete(id);
      if (claimed) return generationOf({ ...claimed, replay: null });
      return isComplete ? null : 'alone';
    });
  });

  return async (request) => {
    const claimed = await share(request);
    return claimed === 'alone' ? claimAlone(request) : claimed;
  };
}
