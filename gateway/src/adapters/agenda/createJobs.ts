import type { Job } from 'agenda';
import type { mongo } from 'mongoose';
import { type Log, minuteMs, sum } from '@framegate/contract';
import { withTimeLimit } from '@framegate/limits';
import {
  type GenerationJob,
  generationRunJob,
  type JobStore,
  type NextRun,
} from '../../application/ports/jobs.ts';
import type { Clock } from '../../application/ports/system.ts';
import { upkeepJobOf, type WorkStore, type WorkWatch } from '../../application/ports/upkeep.ts';
import { backoffMs, jitter } from '../../domain/time/backoff.ts';
import { mayWorkBy } from '../../domain/time/clockWitness.ts';
import { defineJobs, type JobKind } from './defineJobs.ts';
import { openAgenda } from './openAgenda.ts';
import { createRecurringJobs, type RecurringJob } from './recurringJobs.ts';
import { createSupervisor } from './superviseJobs.ts';

/** The handlers of the jobs. Each may safely run at any time, twice, or late. */
export interface JobHandlers {
  /** Does the generation's next work. @param signal Aborts when the process must end. */
  run(job: GenerationJob, signal: AbortSignal): Promise<NextRun>;
  /**
   * One round of an upkeep task in one of its shards. It ends soon after the signal, even in the middle of waiting: the
   * shard is locked in the meantime.
   */
  runUpkeep(task: string, shard: number, signal: AbortSignal): Promise<void>;
}

/** The worker's side of Agenda. */
export interface Jobs {
  start(): Promise<void>;
  /**
   * Stops taking jobs immediately, and resolves when the current ones are done. Task rounds end early; runs are aborted
   * only after `graceMs`.
   */
  stop(graceMs: number): Promise<void>;
}

/** Timings of the jobs, in ms. */
export interface JobTimings {
  /** A lock expires if its process has not renewed it for this time, in ms; longer than any tick. */
  lockMs: number;
  /** Interval for checking the recurring jobs. */
  superviseEveryMs: number;
}

/** An upkeep task: its number of shards, and the interval of each one's rounds in ms. */
export interface UpkeepJobs {
  shards: number;
  everyMs: number;
}

/** The data of a generation's job. */
type JobData = Parameters<JobStore['renewWakeUp']>[0];

/**
 * Interval at which Agenda itself checks for due jobs, in ms. The watch for due work finds generations' jobs sooner;
 * Agenda's check finds those with expired locks. Jobs due before the next check are locked immediately: keep it short.
 */
const runTickMs = 4_000;
const upkeepTickMs = 10_000;
/** Time limit of an upkeep round, in ms. */
const roundMs = 20_000;
/** Shards of an upkeep task that one process works on in parallel. */
const maxShardsAtOnce = 2;
/** Pauses after failed runs. */
const retryPace = { firstMs: 5_000, maxMs: 5 * minuteMs };

/** The pause after this many consecutive failures. */
const retryDelayMs = (failures: number): number =>
  jitter(backoffMs(retryPace, failures), Math.random());

/**
 * Agenda on our existing connection: `generation.run` (one job per unfinished generation) and the upkeep tasks; polling
 * and emails are rounds of the watch for due work. Jobs only start work: the generation documents are authoritative.
 * Agenda decides about locks and due times by this machine's wall clock, so it is stopped while that clock is wrong
 * (I10). The tasks have a separate Agenda, which checks for them rarely.
 */
export function createJobs(options: {
  db: mongo.Db;
  log: Log;
  clock: Clock;
  processName: string;
  work: Pick<WorkStore, 'releaseJobs'>;
  /** Starts the watch for due work; `runDue` runs due generation jobs, as many as there are slots for. */
  watchWork(parts: { runDue: () => Promise<void>; mayWork: () => boolean }): WorkWatch;
  wakeUps: Pick<JobStore, 'renewWakeUp'>;
  handlers: JobHandlers;
  /** Generations started or finished in parallel in this process. */
  maxRunsAtOnce: number;
  /** Upkeep tasks by name. */
  upkeepTasks: Readonly<Record<string, UpkeepJobs>>;
  timings: JobTimings;
}): Jobs {
  const { db, log, clock, processName, handlers, timings, maxRunsAtOnce } = options;
  const { lockMs } = timings;
  const upkeepTasks = Object.entries(options.upkeepTasks);
  const jobs = db.collection('agendaJobs');
  const stopping = new AbortController();
  const abortRuns = new AbortController();
  /** While the database's clock is wrong, this process takes no work. */
  const mayWork = () => mayWorkBy(clock.wrongClock(), clock.skewMs());

  const runKind: JobKind = {
    name: generationRunJob,
    atOnce: maxRunsAtOnce,
    signal: abortRuns.signal,
    work: ({ attrs }) => handlers.run(attrs.data as JobData, abortRuns.signal),
    putOff: () => ({ at: clock.now() + retryDelayMs(1), isTaken: true }),
    retryDelayMs,
    announceEnd: ({ attrs }) => options.wakeUps.renewWakeUp(attrs.data as JobData),
  };
  const upkeepKind = (task: string): JobKind => ({
    name: upkeepJobOf(task),
    atOnce: maxShardsAtOnce,
    signal: stopping.signal,
    async work({ attrs }: Job) {
      const { shard } = attrs.data as { shard: number };
      await withTimeLimit(roundMs, stopping.signal, (signal) =>
        handlers.runUpkeep(task, shard, signal),
      );
      return null;
    },
    putOff: () => null,
    retryDelayMs: null,
  });
  const openGroup = (
    kinds: readonly JobKind[],
    processEveryMs: number,
    shared?: Parameters<typeof openAgenda>[0]['shared'],
  ) => {
    const maxConcurrency = sum(kinds.map(({ atOnce }) => atOnce));
    const pollOptions = { processEveryMs, maxConcurrency, lockMs };
    const group = openAgenda({ db, log, processName, ...pollOptions, ...(shared && { shared }) });
    const parts = { agenda: group.agenda, jobs, log, lockMs, mayWork };
    return { ...group, defined: defineJobs({ ...parts, kinds }) };
  };
  const slotsLeft = (): number => {
    const slot = runs.defined.slots.get(generationRunJob);
    return slot ? slot.atOnce - slot.taken : 0;
  };
  const runs = openGroup([runKind], Math.min(runTickMs, lockMs / 4), {
    name: generationRunJob,
    atOnce: maxRunsAtOnce,
    slotsLeft,
  });
  const upkeep = openGroup(
    upkeepTasks.map(([task]) => upkeepKind(task)),
    Math.min(upkeepTickMs, ...upkeepTasks.map(([, { everyMs }]) => everyMs)),
  );
  const groups = [runs, upkeep];

  const recurring = upkeepTasks.map(([task, { shards, everyMs }]): RecurringJob => ({
    name: upkeepJobOf(task),
    shards,
    everyMs,
  }));
  const names = [generationRunJob, ...recurring.map(({ name }) => name)];
  let watch: WorkWatch | null = null;
  const supervisor = createSupervisor({
    jobs,
    log,
    clock,
    timings,
    mayWork,
    slots: new Map(groups.flatMap(({ defined }) => [...defined.slots])),
    leads: () => watch?.leads() ?? false,
    keepRecurring: createRecurringJobs(jobs, recurring, names),
    stopping: stopping.signal,
    async resume() {
      for (const { defined, agenda } of groups) {
        defined.open();
        await agenda.start();
      }
    },
    async stopTakingJobs() {
      for (const { defined } of groups) defined.close();
      await Promise.all(groups.map(({ agenda }) => agenda.stop(false)));
      await Promise.all(groups.map((group) => group.release()));
    },
  });

  return {
    async start() {
      await Promise.all(groups.map(({ agenda }) => agenda.ready));
      await supervisor.start();
      const runDue = () => runs.notify(generationRunJob);
      watch = options.watchWork({ runDue, mayWork });
    },
    async stop(graceMs) {
      stopping.abort(new Error('the process is stopping'));
      const grace = setTimeout(() => {
        abortRuns.abort(new Error('the process is stopping'));
      }, graceMs);
      await Promise.all([watch?.stop(), supervisor.stop()]);
      await Promise.all(groups.map(({ defined }) => defined.waitForRuns()));
      clearTimeout(grace);
      // Agenda may have locked a job while it was halted.
      await options.work.releaseJobs().catch((error: unknown) => {
        log.warn({ error }, 'failed to release locked jobs; their locks will expire');
      });
    },
  };
}
