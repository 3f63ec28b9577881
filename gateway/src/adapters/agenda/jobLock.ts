import type { Job } from 'agenda';
import mongoose, { type mongo } from 'mongoose';

/** The lock of a job that this process runs, renewed until it is released. */
export interface JobLock {
  /** @returns False if the lock was lost: another process may run the job and will end it. */
  letGo(): Promise<boolean>;
}

/**
 * Renews the lock taken by Agenda as long as this process still holds it. Agenda's own `touch` writes the whole state
 * of the job, even if another process has locked it since.
 */
export function holdLock(job: Job, jobs: mongo.Collection, lockMs: number): JobLock {
  const _id = new mongoose.mongo.ObjectId(String(job.attrs._id));
  let isLost = false;
  /** The last write, which may or may not have succeeded. */
  let lastWrite = job.attrs.lockedAt ?? null;
  let confirmedAt = performance.now();
  let touching: Promise<void> | null = null;

  async function write(): Promise<void> {
    const askedAt = performance.now();
    const lockTimes = [job.attrs.lockedAt ?? null, lastWrite];
    const lockedAt = new Date();
    lastWrite = lockedAt;
    const touched = await jobs.updateOne(
      { _id, lockedAt: { $in: lockTimes } },
      { $set: { lockedAt } },
    );
    // The end of its generation has removed the job, so no process has it.
    isLost = touched.matchedCount === 0 && (await jobs.findOne({ _id })) !== null;
    if (isLost) return;
    // Agenda checks this field for expired locks.
    job.attrs.lockedAt = lockedAt;
    confirmedAt = askedAt;
  }
  const touch = () => (touching ??= write().finally(() => (touching = null)));

  const timer = setInterval(() => {
    if (!isLost) touch().catch(() => undefined);
  }, lockMs / 4);
  return {
    async letGo() {
      clearInterval(timer);
      await touching?.catch(() => undefined);
      // The lock may have expired if this process or the database was suspended.
      if (!isLost && performance.now() - confirmedAt > lockMs / 2) {
        await touch().catch(() => undefined);
      }
      return !isLost;
    },
  };
}
