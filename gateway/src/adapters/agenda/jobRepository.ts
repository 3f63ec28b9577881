import type { Agenda } from 'agenda';
import mongoose, { type mongo } from 'mongoose';

type Repository = Agenda['db'];
type Attributes = Parameters<Repository['saveJobState']>[0];

/** What a run leaves in its job. */
export interface RunEnd {
  /** Null: the job is removed. */
  nextRunAt: Date | null;
  /** Runs that failed in a row. */
  failCount: number;
}

/** How a process keeps its jobs' documents, in place of Agenda's own way. */
export interface JobRepository {
  /** Says what the run of this job is to leave. */
  conclude(job: Attributes, end: RunEnd): void;
  /** Prolongs the lock of a job that runs. */
  touch(job: Attributes): Promise<void>;
  /** Jobs that Agenda locked before this moment and has neither begun nor given back. */
  forgottenSince(before: number): number;
  /** Locks no more jobs: one that is being locked at this moment is given back. */
  close(): void;
  /** Locks jobs again, and no longer counts earlier locks. */
  open(): void;
}

const idOf = ({ _id }: Attributes) => new mongoose.mongo.ObjectId(String(_id));

/**
 * Replaces what Agenda writes about a run by guarded writes:
 * - A wake-up that is written while its job runs is kept. Agenda would write its own next run over it.
 * - A run whose lock lapsed and was taken by another process neither prolongs nor ends the other's run.
 * It also counts the locks, because Agenda forgets those that lapse before the run begins.
 */
export function replaceJobState(
  repository: Repository,
  jobs: mongo.Collection,
  onError: (error: unknown) => void,
): JobRepository {
  const ends = new WeakMap<Attributes, RunEnd>();
  /** When jobs were locked that have not begun, by id. At most as many as Agenda may lock. */
  const locked = new Map<string, number>();
  let isOpen = true;

  const original = {
    next: repository.getNextJobToRun.bind(repository),
    unlock: repository.unlockJob.bind(repository),
    unlockAll: repository.unlockJobs.bind(repository),
  };

  async function begin(job: Attributes, lastModifiedBy: string | null): Promise<void> {
    locked.delete(String(job._id));
    const { lockedAt = null, lastRunAt = null } = job;
    // What was woken until now is what this run does.
    const begun = await jobs.updateOne(
      { _id: idOf(job), lockedAt },
      { $set: { lastRunAt, nextRunAt: null, lastModifiedBy }, $unset: { wokenAt: true } },
    );
    if (begun.matchedCount === 0) throw new Error(`job ${String(job._id)} is locked elsewhere`);
  }

  async function end(job: Attributes, lastModifiedBy: string | null): Promise<void> {
    const { lastRunAt = null, lastFinishedAt = null } = job;
    const { nextRunAt, failCount } = ends.get(job) ?? { nextRunAt: new Date(), failCount: 1 };
    const next = nextRunAt === null ? null : { $min: ['$wokenAt', nextRunAt] };
    const set = { lockedAt: null, lastFinishedAt, failCount, lastModifiedBy, nextRunAt: next };
    const ended = await jobs.updateOne({ _id: idOf(job), lastRunAt }, [
      { $set: set },
      { $unset: 'wokenAt' },
    ]);
    if (ended.matchedCount === 0)
      throw new Error(`job ${String(job._id)} is gone or run elsewhere`);
  }

  repository.saveJobState = (job, options) => {
    const by = options?.lastModifiedBy ?? null;
    return job.lockedAt ? begin(job, by) : end(job, by);
  };
  repository.getNextJobToRun = async (...args) => {
    if (!isOpen) return undefined;
    const job = await original.next(...args);
    // Between two awaits another value may have come.
    const isClosed = () => !isOpen;
    if (job && isClosed()) {
      await original.unlockAll([job._id as string & typeof job._id]).catch(onError);
      return undefined;
    }
    if (job) locked.set(String(job._id), performance.now());
    return job;
  };
  // Agenda does not wait for this one: trouble with the database would end the process.
  repository.unlockJob = async (job) => {
    locked.delete(String(job._id));
    await original.unlock(job).catch(onError);
  };

  return {
    conclude: (job, runEnd) => void ends.set(job, runEnd),
    async touch(job) {
      const lockedAt = new Date();
      // Agenda reads it to see whether the lock has lapsed.
      job.lockedAt = lockedAt;
      await jobs.updateOne(
        { _id: idOf(job), lastRunAt: job.lastRunAt ?? null },
        { $set: { lockedAt } },
      );
    },
    forgottenSince: (before) => [...locked.values()].filter((at) => at < before).length,
    close() {
      isOpen = false;
    },
    open() {
      isOpen = true;
      locked.clear();
    },
  };
}
