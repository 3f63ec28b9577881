import { createHash } from 'node:crypto';
import mongoose, { type mongo } from 'mongoose';
import type { Clock } from '../../application/ports/clock.ts';
import type { JobStore } from '../../application/ports/jobStore.ts';
import type { Collections } from './collections.ts';

/** The name of a generation's one job. */
const generationRunJob = 'generation.run';

/**
 * The id of a generation's job, made from the generation's: there can be one only, and it is found
 * without an index of its own.
 */
export function jobIdOf(generationId: string): mongoose.mongo.ObjectId {
  const digest = createHash('sha256').update(generationId).digest();
  return new mongoose.mongo.ObjectId(digest.subarray(0, 12));
}

/**
 * A generation's job in Agenda's own form, written as a plain document: Agenda's `save` takes no session,
 * and a job must appear exactly when its generation does. Job data is the generation id only.
 */
export function jobDocument(generationId: string, runAt: number) {
  return {
    _id: jobIdOf(generationId),
    name: generationRunJob,
    type: 'normal',
    priority: 0,
    data: { generationId },
    nextRunAt: new Date(runAt),
  };
}

/** The Agenda jobs of generations, outside a transaction or bound to one. */
export function createJobStore(
  { jobs }: Collections,
  clock: Clock,
  session: mongo.ClientSession | undefined,
): JobStore {
  const inSession = session ? { session } : {};
  return {
    async insert(generationId, runAt) {
      await jobs.insertOne(jobDocument(generationId, runAt), inSession);
    },
    async wake(generationId) {
      const { _id, nextRunAt, ...rest } = jobDocument(generationId, clock.now());
      await jobs.updateOne(
        { _id },
        { $set: { nextRunAt }, $setOnInsert: rest },
        { ...inSession, upsert: true },
      );
    },
    async remove(generationId) {
      await jobs.deleteOne({ _id: jobIdOf(generationId) }, inSession);
    },
  };
}
