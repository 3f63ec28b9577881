import type { Agenda, Job } from 'agenda';
import type { mongo } from 'mongoose';
import type { Log } from '@framegate/contract';
import type { NextRun } from '../../application/ports/jobs.ts';
import { holdLock } from './jobLock.ts';
import type { JobSlots } from './superviseJobs.ts';

/** One kind of job. */
export interface JobKind {
  name: string;
  /** Maximum jobs of this kind run in parallel by this process. */
  atOnce: number;
  /** Aborted when runs are cut off at a stop; later failures are not logged. */
  signal: AbortSignal;
  /** @returns Its next run; null for its own interval. */
  work(job: Job): Promise<NextRun | null>;
  /** Thrown by a job that cannot run now. */
  putOff(): NextRun | null;
  /** The pause after this many consecutive failures, in ms; null to wait for the job's own interval. */
  retryDelayMs: ((failures: number) => number) | null;
  /** Runs once Agenda has recorded the end of a run that will repeat. */
  announceEnd?: (job: Job) => Promise<void>;
}

/** The jobs of one Agenda in this process. */
export interface DefinedJobs {
  slots: ReadonlyMap<string, JobSlots>;
  /** Stops locking jobs; Agenda returns one that it is just locking. */
  close(): void;
  open(): void;
  /** Resolves when the current runs have ended and Agenda has recorded it. */
  waitForRuns(): Promise<unknown>;
}

interface Run {
  ended: PromiseWithResolvers<undefined>;
  /** Consecutive failures before this run; kept if it did nothing. */
  failures: number;
  isTaken: boolean;
}

/** Agenda does not treat 0 as a limit. */
const none = -1;

/**
 * Defines kinds of jobs. A run that lost its lock never returns: Agenda gives it up when it finds the lock expired, and
 * does not overwrite the result of the process that now runs the job.
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
  const slots = new Map<string, JobSlots>();
  const runs = new Map<Job, Run>();

  const beginRun = (job: Job): Run => {
    const ended = Promise.withResolvers<undefined>();
    const run = { ended, failures: job.attrs.failCount ?? 0, isTaken: false };
    runs.set(job, run);
    return run;
  };
  const endRun = (job: Job): void => {
    runs.get(job)?.ended.resolve(undefined);
    runs.delete(job);
  };

  const runOf = (kind: JobKind, slot: JobSlots) => async (job: Job) => {
    const run = beginRun(job);
    const lock = holdLock(job, jobs, lockMs);
    let failure: Error | null = null;
    slot.taken += 1;
    slot.startedAt = performance.now();
    try {
      // A restarted Agenda does not know of earlier runs.
      const hasFreeSlot = slot.taken <= slot.atOnce;
      const next = options.mayWork() && hasFreeSlot ? await kind.work(job) : kind.putOff();
      if (next) {
        job.attrs.nextRunAt = next.at === null ? null : new Date(next.at);
        run.isTaken = next.isTaken;
      }
    } catch (error) {
      if (!kind.signal.aborted) {
        log.error({ error, job: kind.name, data: job.attrs.data }, 'job failed');
      }
      // Agenda stores the message, and an error's own message may quote secrets.
      failure = new Error('failed; see the log of the process');
    } finally {
      slot.taken -= 1;
    }
    if (!(await lock.letGo())) {
      endRun(job);
      log.warn({ job: kind.name, data: job.attrs.data }, 'lost the lock of a job');
      return new Promise<void>(() => undefined);
    }
    if (failure) throw failure;
  };

  function define(kind: JobKind, slot: JobSlots): void {
    const { name, atOnce, retryDelayMs } = kind;
    agenda.define(name, runOf(kind, slot), {
      concurrency: atOnce,
      // As many locks as slots: a lock waiting for a slot could expire.
      lockLimit: atOnce,
      lockLifetime: lockMs,
      ...(retryDelayMs && { backoff: ({ attempt }) => retryDelayMs(attempt) }),
    });
  }

  for (const kind of kinds) {
    const slot = { taken: 0, atOnce: kind.atOnce, startedAt: performance.now() };
    slots.set(kind.name, slot);
    define(kind, slot);
    agenda.on(`success:${kind.name}`, (job: Job) => {
      const run = runs.get(job);
      if (run?.isTaken) job.attrs.failCount = run.failures;
    });
    agenda.on(`complete:${kind.name}`, (job: Job) => {
      const comesAgain = (job.attrs.nextRunAt ?? null) !== null;
      const after = comesAgain && kind.announceEnd ? kind.announceEnd(job) : Promise.resolve();
      after
        .catch((error: unknown) => {
          log.warn({ error, job: kind.name }, 'failed to run a job; leaving it to upkeep');
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
    slots,
    close: () => limitLocks(() => none),
    open: () => limitLocks(({ atOnce }) => atOnce),
    waitForRuns: () => Promise.allSettled([...runs.values()].map(({ ended }) => ended.promise)),
  };
}
