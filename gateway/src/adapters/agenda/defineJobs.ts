import type { Agenda, Job } from 'agenda';
import type { mongo } from 'mongoose';
import type { NextRun } from '../../application/ports/jobs.ts';
import type { Log } from '../../application/ports/system.ts';
import { holdLock } from './jobLock.ts';
import type { Place } from './superviseJobs.ts';

/** One kind of job. */
export interface JobKind {
  name: string;
  /** Jobs of it that this process works on at once. */
  atOnce: number;
  /** Aborted when its runs are cut off at a stop: failures are not logged from then on. */
  cut: AbortSignal;
  /** @returns when it runs next; null: at its own interval. */
  work(job: Job): Promise<NextRun | null>;
  /** How a job ends that cannot be worked on at this moment. */
  putOff(): NextRun | null;
  /** How long a job waits after so many failures in a row, in ms; null: until its own interval is over. */
  retryDelayMs: ((failures: number) => number) | null;
  /** Done when Agenda has written the end of a run that comes again. */
  afterRun?: (job: Job) => Promise<void>;
}

/** The jobs of one Agenda in this process. */
export interface DefinedJobs {
  places: ReadonlyMap<string, Place>;
  /** Locks no more jobs: Agenda gives back the one that it is locking at this moment. */
  close(): void;
  open(): void;
  /** Resolves when the runs under way have ended, and Agenda has written it. */
  ended(): Promise<unknown>;
}

interface Run {
  ended: PromiseWithResolvers<undefined>;
  /** Its earlier failure, kept when nothing was done now. */
  failures: number;
  held: boolean;
}

/** Agenda takes no limit of 0 for one. */
const none = -1;

/**
 * Defines kinds of jobs. A run whose lock was lost never returns: Agenda gives it up when it finds the lock
 * lapsed, and does not overwrite the result of the process that runs the job by then.
 */
export function defineJobs(options: {
  agenda: Agenda;
  jobs: mongo.Collection;
  log: Log;
  lockMs: number;
  kinds: readonly JobKind[];
  /** Whether this process may take work now. */
  mayWork(): boolean;
}): DefinedJobs {
  const { agenda, jobs, log, lockMs, kinds } = options;
  const places = new Map<string, Place>();
  const runs = new Map<Job, Run>();

  const beginRun = (job: Job): Run => {
    const ended = Promise.withResolvers<undefined>();
    const run = { ended, failures: job.attrs.failCount ?? 0, held: false };
    runs.set(job, run);
    return run;
  };
  const endRun = (job: Job): void => {
    runs.get(job)?.ended.resolve(undefined);
    runs.delete(job);
  };

  const runOf = (kind: JobKind, place: Place) => async (job: Job) => {
    const run = beginRun(job);
    const lock = holdLock(job, jobs, lockMs);
    let failure: Error | null = null;
    place.taken += 1;
    place.beganAt = performance.now();
    try {
      // Started afresh, Agenda does not know of the runs before.
      const isRoom = place.taken <= place.atOnce;
      const next = options.mayWork() && isRoom ? await kind.work(job) : kind.putOff();
      if (next) {
        job.attrs.nextRunAt = next.at === null ? null : new Date(next.at);
        run.held = next.held;
      }
    } catch (error) {
      if (!kind.cut.aborted) {
        log.error({ error, job: kind.name, data: job.attrs.data }, 'a job failed');
      }
      // Agenda stores the message, and an error's own may quote secrets.
      failure = new Error('it failed: the log of the process says why');
    } finally {
      place.taken -= 1;
    }
    if (!(await lock.letGo())) {
      endRun(job);
      log.warn({ job: kind.name, data: job.attrs.data }, 'the lock of a job was lost');
      return new Promise<void>(() => undefined);
    }
    if (failure) throw failure;
  };

  function define(kind: JobKind, place: Place, lockLimit: number): void {
    const { name, atOnce, retryDelayMs } = kind;
    agenda.define(name, runOf(kind, place), {
      concurrency: atOnce,
      // As many locks as places: a lock that waits for a place could lapse.
      lockLimit,
      lockLifetime: lockMs,
      ...(retryDelayMs && { backoff: ({ attempt }) => retryDelayMs(attempt) }),
    });
  }

  for (const kind of kinds) {
    const place = { taken: 0, atOnce: kind.atOnce, beganAt: performance.now() };
    places.set(kind.name, place);
    define(kind, place, kind.atOnce);
    agenda.on(`success:${kind.name}`, (job: Job) => {
      const run = runs.get(job);
      if (run?.held) job.attrs.failCount = run.failures;
    });
    agenda.on(`complete:${kind.name}`, (job: Job) => {
      const comesAgain = (job.attrs.nextRunAt ?? null) !== null;
      const after = comesAgain && kind.afterRun ? kind.afterRun(job) : Promise.resolve();
      after
        .catch((error: unknown) => {
          log.warn({ error, job: kind.name }, 'a job is left to upkeep after an error');
        })
        .finally(() => {
          endRun(job);
        });
    });
  }

  const limitLocks = (limitOf: (kind: JobKind) => number) => {
    for (const kind of kinds) {
      const definition = agenda.definitions[kind.name];
      if (definition) definition.lockLimit = limitOf(kind);
    }
  };
  return {
    places,
    close: () => limitLocks(() => none),
    open: () => limitLocks(({ atOnce }) => atOnce),
    ended: () => Promise.allSettled([...runs.values()].map(({ ended }) => ended.promise)),
  };
}
