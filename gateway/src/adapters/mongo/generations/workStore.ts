import { generationRunJob } from '../../../application/ports/jobs.ts';
import type { Clock } from '../../../application/ports/system.ts';
import type { WorkStore } from '../../../application/ports/upkeep.ts';
import { maxAheadMs } from '../../../domain/time/furthestTimes.ts';
import type { Collections } from '../collections.ts';
import { ignoreDuplicate } from '../errors.ts';
import { releaseJobs, workerName } from '../jobs/releaseLeases.ts';

/** The single lease: its holder polls, sends emails and maintains the recurring jobs. */
const _id = 'polls';

/** Plausible ends of a held lease: an end further ahead than a lease's length comes from a wrong clock. */
const heldAt = (nowMs: number) => ({
  $gt: new Date(nowMs),
  $lte: new Date(nowMs + maxAheadMs.pollLease),
});

/** Number of due polls among which the oldest is sought; they are ordered by provider, oldest first. */
const maxJudged = 1_000;

/**
 * Finds due work in one statement, whose parts each read one key of an index.
 * @param holder This process's id.
 */
export function createWorkStore(
  { jobs, leases }: Pick<Collections, 'jobs' | 'leases'>,
  clock: Pick<Clock, 'now'>,
  holder: string,
): WorkStore {
  return {
    async findDue() {
      const nowMs = clock.now();
      const dueRange = { $lte: new Date(nowMs) };
      const rows = await jobs
        .aggregate<{ due: 'run' | 'poll' | 'mail' | 'lease'; at: Date }>([
          {
            $match: {
              name: generationRunJob,
              nextRunAt: dueRange,
              lockedAt: null,
              disabled: { $ne: true },
            },
          },
          { $limit: 1 },
          { $project: { _id: 0, due: { $literal: 'run' } } },
          {
            $unionWith: {
              coll: 'generations',
              pipeline: [
                { $match: { open: true, step: 'submitted', dueAt: dueRange } },
                { $limit: maxJudged },
                { $group: { _id: null, at: { $min: '$dueAt' } } },
                { $project: { _id: 0, due: { $literal: 'poll' }, at: 1 } },
              ],
            },
          },
          {
            $unionWith: {
              coll: 'mails',
              pipeline: [
                { $match: { nextAttemptAt: dueRange } },
                { $limit: 1 },
                { $project: { _id: 0, due: { $literal: 'mail' } } },
              ],
            },
          },
          {
            $unionWith: {
              coll: 'leases',
              pipeline: [
                { $match: { _id, holder: { $ne: holder }, until: heldAt(nowMs) } },
                { $project: { _id: 0, due: { $literal: 'lease' } } },
              ],
            },
          },
        ])
        .toArray();
      const has = (what: string) => rows.some((each) => each.due === what);
      const poll = rows.find((each) => each.due === 'poll');
      return {
        isRunDue: has('run'),
        pollLateMs: poll ? nowMs - poll.at.getTime() : null,
        areMailsDue: has('mail'),
        isLeaseFree: !has('lease'),
      };
    },

    acquireLease(forMs) {
      // An upsert takes no expression, so the end is judged by the clock that follows the database's.
      const mine = { $or: [{ holder }, { until: { $not: heldAt(clock.now()) } }] };
      const until = { $add: ['$$NOW', forMs] };
      // On a duplicate, another process holds the lease.
      return ignoreDuplicate(
        leases.updateOne({ _id, ...mine }, [{ $set: { holder, until } }], { upsert: true }),
      );
    },

    async releaseLease() {
      await leases.updateOne({ _id, holder }, { $set: { until: new Date(0) } });
    },

    releaseJobs: () => releaseJobs(jobs, clock, workerName(holder)),
  };
}
