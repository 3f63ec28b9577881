import { createHash } from 'node:crypto';
import mongoose from 'mongoose';
import {
  type GenerationJob,
  generationRunJob,
  type JobStore,
} from '../../../application/ports/jobs.ts';
import type { Clock } from '../../../application/ports/system.ts';
import { maxAheadMs } from '../../../domain/time/furthestTimes.ts';
import type { Collections } from '../collections.ts';
import { ignoreDuplicate } from '../errors.ts';

/**
 * The id of a generation's job, derived from the generation's id: there is at most one job, found without an index of
 * its own.
 */
export function jobIdOf(generationId: string): mongoose.mongo.ObjectId {
  const digest = createHash('sha256').update(generationId).digest();
  return new mongoose.mongo.ObjectId(digest.subarray(0, 12));
}

/**
 * A generation's job in Agenda's own form, written as a plain document: Agenda's `save` takes no session,
 * and a job must appear together with its generation. Job data contains only ids.
 */
export function jobDocument({ generationId, accountId }: GenerationJob, runAt: number) {
  return {
    _id: jobIdOf(generationId),
    name: generationRunJob,
    type: 'normal',
    priority: 0,
    data: { generationId, accountId },
    nextRunAt: new Date(runAt),
  };
}

/** A job that keeps failing is left to its back-off. */
const failuresToWake = [null, 0, 1];

/** Generations' jobs in Agenda's collection. */
export function createJobStore({ jobs }: Collections, clock: Clock): JobStore {
  return {
    async wake(job) {
      const { _id, nextRunAt: now, data, ...rest } = jobDocument(job, clock.now());
      // Each wake-up has its own time, so that a run can tell whether it has seen it.
      const wokenAt = { $max: [now, { $add: ['$wokenAt', 1] }] };
      const nextRunAt = { $min: ['$nextRunAt', now] };
      await jobs.updateOne(
        { _id },
        [
          { $set: { ...rest, nextRunAt, wokenAt } },
          { $set: { data: { ...data, wokenAt: '$wokenAt' } } },
        ],
        { upsert: true },
      );
    },

    async renewWakeUp({ generationId, wokenAt: seenAt = null }) {
      const now = new Date(clock.now());
      const woken = { _id: jobIdOf(generationId), wokenAt: { $nin: [null, seenAt] } };
      await jobs.updateOne(woken, [
        { $set: { nextRunAt: { $min: ['$nextRunAt', now] }, 'data.wokenAt': '$wokenAt' } },
      ]);
    },

    async wakeSleeping(generationIds) {
      const now = new Date(clock.now());
      const woken = await jobs.updateMany(
        {
          _id: { $in: generationIds.map(jobIdOf) },
          lockedAt: null,
          $or: [
            { failCount: { $in: failuresToWake }, nextRunAt: { $gt: now } },
            { failCount: { $in: failuresToWake }, nextRunAt: null },
            { nextRunAt: { $gt: new Date(now.getTime() + maxAheadMs.failedJob) } },
          ],
        },
        { $set: { nextRunAt: now } },
      );
      return woken.modifiedCount;
    },

    async findMissing(generationIds) {
      const ids = generationIds.map((id) => ({ id, jobId: jobIdOf(id) }));
      const documents = await jobs
        .find({ _id: { $in: ids.map(({ jobId }) => jobId) } }, { projection: { _id: 1 } })
        .toArray();
      const jobIds = new Set(documents.map(({ _id }) => String(_id)));
      return ids.filter(({ jobId }) => !jobIds.has(String(jobId))).map(({ id }) => id);
    },

    async insertMissing(lost) {
      if (lost.length === 0) return;
      const make = lost.map(({ runAt, ...job }) => {
        const { _id, ...fields } = jobDocument(job, runAt);
        return { updateOne: { filter: { _id }, update: { $setOnInsert: fields }, upsert: true } };
      });
      // Another process may create the same job at the same time.
      await ignoreDuplicate(jobs.bulkWrite(make, { ordered: false }));
    },

    async remove(generationId) {
      await jobs.deleteOne({ _id: jobIdOf(generationId) });
    },
  };
}
