import type { Job } from 'agenda';
import type { mongo } from 'mongoose';
import type { Clock, Log } from '../../application/ports/system.ts';
import type { GenerationJob, JobStore, NextRun } from '../../application/ports/jobs.ts';
import { jobOfLane, type WorkStore, type WorkWatch } from '../../application/ports/upkeep.ts';
import { withinTime } from '@framegate/limits';
import { defineJobs, type JobKind } from './defineJobs.ts';
import { openAgenda } from './openAgenda.ts';
import { createRecurringJobs, type RecurringJob } from './recurringJobs.ts';
import { createSupervisor } from './superviseJobs.ts';

/** The work of each job; every one is safe to run at any time, twice, or not at all for a while. */
export interface JobHandlers {
  /** Does the next work on the generation. @param cut Aborts it when the process must end. */
  run(job: GenerationJob, cut: AbortSignal): Promise<NextRun>;
  /**
   * One round of a lane of upkeep in one of its shards. It ends soon after the signal, even
   * while it waits for something: the lane is locked meanwhile.
   */
  upkeep(lane: string, shard: number, signal: AbortSignal): Promise<void>;
}

/** The worker's side of Agenda. */
export interface Jobs {
  start(): Promise<void>;
  /**
   * Stops taking jobs at once, and resolves when those under way are done. Rounds of lanes end early;
   * runs are aborted only when `graceMs` are over.
   */
  stop(graceMs: number): Promise<void>;
}

/** Paces of the jobs, in ms. */
export interface JobTimings {
  /** A lock that its process does not prolong lapses after this time, in ms; longer than any tick. */
  lockMs: number;
  /** How often the recurring jobs are checked. */
  superviseEveryMs: number;
}

/** A lane of upkeep: into how many shards it is divided, and how often each has a round, in ms. */
export interface LaneJobs {
  shards: number;
  everyMs: number;
}

/** The job of a generation, and its data. */
const generationRunJob = 'generation.run';
type JobData = Parameters<JobStore['renewWakeUp']>[0];

/**
 * Agenda's own looks for due jobs, in ms. Jobs of generations are found sooner by the look for due work; Agenda's
 * finds those whose lock has lapsed. Jobs due before the next look are locked at once, so the interval is short.
 */
const runTickMs = 4_000;
const upkeepTickMs = 10_000;
/** The signal of a round of upkeep aborts after this time, in ms. */
const roundMs = 20_000;
/** Shards of a lane of upkeep that one process works on at once. */
const shardsAtOnce = 2;
/** A worker whose clock is further off than this leaves new work to others, in ms. */
const maxSkewMs = 2_000;
/** A run that failed comes again after the first of these, doubled each time up to the second, in ms. */
const retryMs = { first: 5_000, most: 300_000 };

/** How long a job waits after this number of failures in a row: with jitter, so that jobs spread out. */
function retryDelayMs(failures: number): number {
  const delay = Math.min(retryMs.most, retryMs.first * 2 ** (failures - 1));
  return delay * (0.75 + Math.random() / 2);
}

/**
 * Agenda on the connection that we have: `generation.run` (one job per unfinished generation) and the lanes of
 * upkeep; polling and mails are rounds of the look for due work. All of it only starts work: the generation
 * documents are the truth. Agenda decides about locks and due times by this machine's wall clock, so it is
 * stopped while that is wrong (I10). The lanes have an Agenda of their own, which looks for them rarely.
 */
export function createJobs(options: {
  db: mongo.Db;
  log: Log;
  clock: Clock;
  processName: string;
  work: Pick<WorkStore, 'releaseJobs'>;
  /** Starts to look for due work; `runDue` runs due jobs of generations, as many as there is room for. */
  watchWork(parts: { runDue: () => Promise<void>; mayWork: () => boolean }): WorkWatch;
  wakeUps: Pick<JobStore, 'renewWakeUp'>;
  handlers: JobHandlers;
  /** Generations started or finished at once in this process. */
  runsAtOnce: number;
  /** Lanes of upkeep by name. */
  lanes: Readonly<Record<string, LaneJobs>>;
  timings: JobTimings;
}): Jobs {
  const { db, log, clock, processName, handlers, timings, runsAtOnce } = options;
  const { lockMs } = timings;
  const lanes = Object.entries(options.lanes);
  const jobs = db.collection('agendaJobs');
  const stopping = new AbortController();
  const cut = new AbortController();
  const skewed = () => Math.abs(clock.skewMs()) > maxSkewMs;
  const mayWork = () => !skewed();

  const runKind: JobKind = {
    name: generationRunJob,
    atOnce: runsAtOnce,
    cut: cut.signal,
    work: ({ attrs }) => handlers.run(attrs.data as JobData, cut.signal),
    putOff: () => ({ at: clock.now() + retryDelayMs(1), held: true }),
    retryDelayMs,
    afterRun: ({ attrs }) => options.wakeUps.renewWakeUp(attrs.data as JobData),
  };
  const laneKind = (lane: string): JobKind => ({
    name: jobOfLane(lane),
    atOnce: shardsAtOnce,
    cut: stopping.signal,
    async work({ attrs }: Job) {
      const { lane: shard } = attrs.data as { lane: number };
      await withinTime(roundMs, stopping.signal, (signal) => handlers.upkeep(lane, shard, signal));
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
    const maxConcurrency = kinds.reduce((sum, { atOnce }) => sum + atOnce, 0);
    const often = { processEveryMs, maxConcurrency, lockMs };
    const opened = openAgenda({ db, log, processName, ...often, ...(shared && { shared }) });
    const parts = { agenda: opened.agenda, jobs, log, lockMs, mayWork };
    return { ...opened, defined: defineJobs({ ...parts, kinds }) };
  };
  const roomLeft = (): number => {
    const place = runs.defined.places.get(generationRunJob);
    return place ? place.atOnce - place.taken : 0;
  };
  const runs = openGroup([runKind], Math.min(runTickMs, lockMs / 4), {
    name: generationRunJob,
    atOnce: runsAtOnce,
    roomLeft,
  });
  const upkeep = openGroup(
    lanes.map(([lane]) => laneKind(lane)),
    Math.min(upkeepTickMs, ...lanes.map(([, { everyMs }]) => everyMs)),
  );
  const groups = [runs, upkeep];

  const recurring = lanes.map(([lane, { shards, everyMs }]): RecurringJob => ({
    name: jobOfLane(lane),
    lanes: shards,
    everyMs,
  }));
  const names = [generationRunJob, ...recurring.map(({ name }) => name)];
  let watch: WorkWatch | null = null;
  const supervisor = createSupervisor({
    db,
    log,
    clock,
    timings,
    skewed,
    places: new Map(groups.flatMap(({ defined }) => [...defined.places])),
    leads: () => watch?.leads() ?? false,
    keepRecurring: createRecurringJobs(db, recurring, names),
    stopping: stopping.signal,
    async resume() {
      for (const { defined, agenda } of groups) {
        defined.open();
        await agenda.start();
      }
    },
    async halt() {
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
        cut.abort(new Error('the process is stopping'));
      }, graceMs);
      await Promise.all([watch?.stop(), supervisor.stop()]);
      await Promise.all(groups.map(({ defined }) => defined.ended()));
      clearTimeout(grace);
      // Agenda may have locked one while it was halted.
      await options.work.releaseJobs().catch((error: unknown) => {
        log.warn(
          { error },
          'jobs that were locked could not be given back: their locks will lapse',
        );
      });
    },
  };
}
