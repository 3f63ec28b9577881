import { MongoJobRepository } from '@agendajs/mongo-backend';
import {
  type JobParameters,
  type JobRepositoryOptions,
  type RemoveJobsOptions,
  toJobId,
} from 'agenda';
import mongoose, { type mongo } from 'mongoose';
import { shareCalls } from '@framegate/limits';

/**
 * The one guarded spot (docs/adr/0003-agenda-wakes-up.md): Agenda does not await `unlockJob`, so a database error in it
 * would end the process.
 */
export class GuardedRepository extends MongoJobRepository {
  readonly #onError: (error: unknown) => void;
  constructor(db: mongo.Db, onError: (error: unknown) => void) {
    // A migration, which waits for a primary, creates the index.
    super({ mongo: db, ensureIndex: false });
    this.#onError = onError;
  }
  override unlockJob(job: JobParameters): Promise<void> {
    return super.unlockJob(job).catch(this.#onError);
  }
}

/** Jobs locked by one statement. */
const maxLocked = 100;
/** Maximum ends and removals per statement, and maximum concurrent statements of this kind. */
const ends = { maxItems: 100, maxCalls: 2 };
/** Pause between checks, in ms, after one that found fewer jobs than there are slots for. */
const pauseMs = 20;

const idOf = ({ _id }: Pick<JobParameters, '_id'>) => new mongoose.mongo.ObjectId(String(_id));

/**
 * Jobs of one name that are many and short. They are locked together, as many as there are slots for, and their ends
 * are written together. The lock also records the start of the run, which replaces Agenda's own write.
 */
export class SharedRepository extends GuardedRepository {
  readonly #jobs: mongo.Collection;
  readonly #lockMs: number;
  readonly #slotsLeft: () => number;
  readonly #end: (change: mongo.AnyBulkWriteOperation) => Promise<undefined>;
  /** Locked, but not yet requested by Agenda. */
  #locked: JobParameters[] = [];
  /** Jobs that Agenda has but has not started, with their lock times. */
  readonly #waiting = new Map<string, number>();
  #locking: Promise<void> | null = null;
  #pausedUntil = -Infinity;
  #mayHaveMore = false;

  constructor(
    db: mongo.Db,
    options: { lockMs: number; slotsLeft: () => number; onError: (error: unknown) => void },
  ) {
    super(db, options.onError);
    this.#lockMs = options.lockMs;
    this.#slotsLeft = options.slotsLeft;
    const jobs = db.collection('agendaJobs');
    this.#jobs = jobs;
    this.#end = shareCalls(ends, async (changes: readonly mongo.AnyBulkWriteOperation[]) => {
      await jobs.bulkWrite([...changes], { ordered: false });
      return changes.map(() => undefined);
    });
  }

  /** How many more jobs may be locked. */
  get #slots(): number {
    const expiredAt = Date.now() - this.#lockMs;
    for (const [id, lockedAt] of this.#waiting) if (lockedAt < expiredAt) this.#waiting.delete(id);
    return this.#slotsLeft() - this.#waiting.size - this.#locked.length;
  }

  /** Whether a check is worthwhile: this many more jobs can run, and others may be due. */
  hasSlotsAgain(count: number): boolean {
    return this.#mayHaveMore && this.#locking === null && this.#slots >= count;
  }

  override async getNextJobToRun(
    name: string,
    nextScanAt: Date,
    lockDeadline: Date,
    now: Date | undefined,
    options: JobRepositoryOptions | undefined,
  ): Promise<JobParameters | undefined> {
    const next = this.#takeLocked();
    if (next) return next;
    if (performance.now() < this.#pausedUntil) return undefined;
    const where = {
      name,
      disabled: { $ne: true },
      $or: [
        { lockedAt: null, nextRunAt: { $lte: nextScanAt } },
        { lockedAt: { $lte: lockDeadline } },
      ],
    };
    const by = options?.lastModifiedBy ?? null;
    this.#locking ??= this.#lock(where, now ?? new Date(), by).finally(
      () => (this.#locking = null),
    );
    await this.#locking;
    return this.#takeLocked();
  }

  #takeLocked(): JobParameters | undefined {
    const next = this.#locked.shift();
    if (next) this.#waiting.set(String(next._id), next.lockedAt?.getTime() ?? 0);
    return next;
  }

  async #lock(where: mongo.Filter<mongo.Document>, lockedAt: Date, by: string | null) {
    const limit = Math.min(maxLocked, this.#slots);
    this.#mayHaveMore = limit <= 0;
    if (limit <= 0) return;
    const sort = { nextRunAt: 1, priority: -1 } as const;
    const documents = await this.#jobs.find(where, { sort, limit }).toArray();
    if (documents.length > 0) {
      this.#locked.push(...(await this.#take(documents, where, lockedAt, by)));
    }
    this.#mayHaveMore = documents.length === limit;
    if (!this.#mayHaveMore) this.#pausedUntil = performance.now() + pauseMs;
  }

  /** Locks those not yet locked by another process. */
  async #take(
    documents: readonly mongo.Document[],
    where: mongo.Filter<mongo.Document>,
    lockedAt: Date,
    lastModifiedBy: string | null,
  ): Promise<JobParameters[]> {
    const lock = { lockedAt, lastModifiedBy, lastRunAt: lockedAt };
    const ids = documents.map(({ _id }) => _id as mongo.ObjectId);
    // Single updates in one statement: the driver retries those, and reports how many were written.
    const result = await this.#jobs.bulkWrite(
      ids.map((_id) => ({ updateOne: { filter: { ...where, _id }, update: { $set: lock } } })),
      { ordered: false },
    );
    const all = documents.map((job) => asParameters({ ...job, ...lock }));
    if (result.modifiedCount === documents.length) return all;
    const mine = await this.#jobs
      .find({ _id: { $in: ids }, lockedAt, lastModifiedBy }, { projection: { _id: 1 } })
      .toArray();
    const won = new Set(mine.map(({ _id }) => String(_id)));
    return all.filter(({ _id }) => won.has(String(_id)));
  }

  /** Agenda writes a job's state at the start and at the end of its run. */
  override async saveJobState(
    job: JobParameters,
    options: JobRepositoryOptions | undefined,
  ): Promise<void> {
    if (job.lockedAt) {
      this.#waiting.delete(String(job._id));
      return;
    }
    // Agenda removes it next.
    if (job.nextRunAt === null) return;
    const { name, nextRunAt, lastRunAt, failReason, failCount, failedAt, lastFinishedAt } = job;
    const state = { nextRunAt, lastRunAt, failReason, failCount, failedAt, lastFinishedAt };
    const $set = {
      ...Object.fromEntries(Object.entries(state).map(([field, value]) => [field, value ?? null])),
      lockedAt: null,
      lastModifiedBy: options?.lastModifiedBy ?? null,
    };
    await this.#end({ updateOne: { filter: { _id: idOf(job), name }, update: { $set } } });
  }

  override async removeJobs(options: RemoveJobsOptions): Promise<number> {
    const { id, ...others } = options;
    if (id === undefined || Object.keys(others).length > 0) return super.removeJobs(options);
    await this.#end({ deleteOne: { filter: { _id: idOf({ _id: toJobId(String(id)) }) } } });
    return 1;
  }

  override unlockJob(job: JobParameters): Promise<void> {
    this.#waiting.delete(String(job._id));
    return super.unlockJob(job);
  }

  /** Returns the locked jobs that Agenda has not requested. */
  async release(): Promise<void> {
    const locked = this.#locked.flatMap(({ _id }) => _id ?? []);
    this.#locked = [];
    this.#waiting.clear();
    await this.unlockJobs(locked);
  }
}

/** A job in the form returned by Agenda's own repository: without null fields, except one. */
function asParameters({ _id, nextRunAt, ...job }: mongo.Document): JobParameters {
  const fields = Object.entries(job).filter(([, value]) => value !== null);
  const parameters = Object.fromEntries<unknown>(fields) as Partial<JobParameters>;
  const { name = '', priority = 0, type = 'normal', data } = parameters;
  const id = toJobId(String(_id));
  return {
    ...parameters,
    _id: id,
    name,
    priority,
    type,
    data,
    nextRunAt: nextRunAt as Date | null,
  };
}
