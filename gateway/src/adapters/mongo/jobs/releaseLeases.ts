import type { mongo } from 'mongoose';
import type { Clock } from '../../../application/ports/system.ts';
import { maxAheadMs } from '../../../domain/time/furthestTimes.ts';
import { type Collections, shortReadMs } from '../collections.ts';

/** Agenda's name for a process. */
export const workerName = (processId: string): string => `framegate ${processId}`;

/** The names of a process's leases: the process's id and a number. */
export function createLeaseNames(processId: string): () => string {
  let count = 0;
  return () => `${processId} ${(count += 1)}`;
}

/** All leases of a process: in character order, a space comes right before `!`. */
const leasesOf = (processId: string) => ({ $gte: `${processId} `, $lt: `${processId}!` });

/**
 * Steps whose leases may be taken from a dead process. In `submitting`, the provider may be about to answer, so that
 * lease expires by itself.
 */
const steps = ['ready', 'parked', 'submitted'] as const;

/** Makes a generation due now. Writes of its holder then fail on the epoch. */
export const releasedNow = [
  { $set: { leaseUntil: new Date(0), dueAt: '$$NOW', epoch: { $add: ['$epoch', 1] } } },
];

/**
 * Releases the generation leases, reserved polls and job locks of a dead process. If it is alive after all, its writes
 * fail on the epoch.
 * @returns The number of released generations.
 */
export async function releaseLeases(
  { generations, jobs }: Pick<Collections, 'generations' | 'jobs'>,
  clock: Pick<Clock, 'now'>,
  processId: string,
): Promise<number> {
  const nowMs = clock.now();
  const ahead = { $gt: new Date(nowMs), $lte: new Date(nowMs + maxAheadMs.lease) };
  const released = await generations.updateMany(
    // A lease also sets `dueAt`; polls are reserved by `dueAt` alone.
    {
      open: true,
      step: { $in: steps },
      dueAt: ahead,
      $or: [{ leaseUntil: ahead }, { step: 'submitted' }],
      leasedBy: leasesOf(processId),
    },
    releasedNow,
    { hint: 'unfinished', maxTimeMS: shortReadMs },
  );
  await releaseJobs(jobs, clock, workerName(processId));
  return released.modifiedCount;
}

/** Releases the jobs locked by a worker: they are due again. @param worker Its `workerName`. */
export async function releaseJobs(
  jobs: mongo.Collection,
  clock: Pick<Clock, 'now'>,
  worker: string,
): Promise<void> {
  const name = { $in: await jobs.distinct('name', {}, { maxTimeMS: shortReadMs }) };
  await jobs.updateMany(
    { name, lockedAt: { $gt: new Date(0) }, lastModifiedBy: worker },
    { $set: { lockedAt: null, nextRunAt: new Date(clock.now()) } },
    { hint: 'locked', maxTimeMS: shortReadMs },
  );
}
