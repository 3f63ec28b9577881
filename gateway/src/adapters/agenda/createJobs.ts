import { Agenda, type Job } from 'agenda';
import { MongoBackend } from '@agendajs/mongo-backend';
import type { mongo } from 'mongoose';
import type { Clock } from '../../application/ports/clock.ts';
import type { Log } from '../../application/ports/log.ts';
import { createRecurringJobs } from './recurringJobs.ts';

/** What the jobs do; each is safe to run at any time, twice, or not at all for a while. */
export interface JobHandlers {
  /** Does what the generation needs next. @returns when at the latest again (ms); null when it ended. */
  run(generationId: string, signal: AbortSignal): Promise<number | null>;
  /** Looks at generations that are due. */
  poll(signal: AbortSignal): Promise<void>;
  /** Heals and tidies. */
  reconcile(signal: AbortSignal): Promise<void>;
}

/** The worker's side of Agenda. */
export interface Jobs {
  start(): Promise<void>;
  /** Takes no more jobs, aborts nothing, and resolves when those under way are done or `graceMs` is over. */
  stop(graceMs: number): Promise<void>;
}

/** Paces of the jobs, in ms. */
export interface JobTimings {
  /** A lock that its process does not prolong lapses after so long; longer than any tick. */
  lockMs: number;
  reconcileEveryMs: number;
  /** How often the recurring jobs and this machine's clock are looked after. */
  superviseEveryMs: number;
}

const tickMs = 250;
const pollLanes = 2;
const pollEveryMs = 500;
/** Poll and reconcile handlers stop by themselves after so long, in ms. */
const laneMs = 20_000;
const reconcileMs = 40_000;
/** A worker whose clock is further off than this leaves new work to others, in ms (design section 4). */
const skewMaxMs = 2_000;
const retryMs = 5_000;
/** A job that nobody has taken for so long although it is due shows that Agenda stands still, in ms. */
const overdueMs = 10_000;
const names = ['generation.run', 'generation.poll', 'generation.reconcile'];

/**
 * Agenda on the connection that we have: `generation.run` (one job per unfinished generation),
 * `generation.poll` (lanes) and `generation.reconcile`. Agenda only wakes somebody up: the generation
 * documents are the truth. Its document of a running job is written by itself alone. It judges locks and
 * due times by this machine's wall clock, so it is stopped while that is wrong (I10).
 */
export function createJobs(options: {
  db: mongo.Db;
  log: Log;
  clock: Clock;
  processName: string;
  handlers: JobHandlers;
  /** Generations started or finished at once in this process. */
  runsAtOnce: number;
  timings: JobTimings;
}): Jobs {
  const { log, clock, handlers, timings } = options;
  const agenda = new Agenda({
    backend: new MongoBackend({ mongo: options.db }),
    name: options.processName,
    processEvery: tickMs,
    maxConcurrency: options.runsAtOnce + 10,
    defaultLockLifetime: timings.lockMs,
    removeOnComplete: true,
    logging: { default: false },
  });
  agenda.on('error', (error: Error) => {
    // A job whose generation ended while it ran is gone by then: nothing is lost.
    log.debug({ error: error.message }, 'agenda');
  });

  const running = new Set<Promise<void>>();
  const cut = new AbortController();
  /** Whether the clock is too far off to trust what Agenda decides by it. */
  const skewed = () => Math.abs(clock.skewMs()) > skewMaxMs;
  /** @param work Says when the job is to run next, in database time; null: never. */
  const define = (name: string, atOnce: number, work: (job: Job) => Promise<number | null>) => {
    const run = async (job: Job): Promise<void> => {
      const touching = setInterval(() => {
        job.touch().catch(() => undefined);
      }, timings.lockMs / 4);
      let next: number | null = clock.now() + retryMs;
      try {
        if (!skewed()) next = await work(job);
      } catch (error) {
        if (!cut.signal.aborted)
          log.error({ error, job: name, data: job.attrs.data }, 'a job failed');
      } finally {
        clearInterval(touching);
      }
      // Agenda writes it when the handler returns; without one it removes the job.
      if (next !== null) job.attrs.nextRunAt = new Date(next);
    };
    const tracked = async (job: Job): Promise<void> => {
      const done = run(job);
      running.add(done);
      await done.finally(() => running.delete(done));
    };
    // As many locks as places: a lock that waits for a place could lapse.
    const limits = { concurrency: atOnce, lockLimit: atOnce, lockLifetime: timings.lockMs };
    agenda.define(name, tracked, limits);
  };

  define('generation.run', options.runsAtOnce, async (job) => {
    const { generationId } = job.attrs.data as { generationId: string };
    return handlers.run(generationId, cut.signal);
  });
  define('generation.poll', pollLanes, async () => {
    await handlers.poll(AbortSignal.any([cut.signal, AbortSignal.timeout(laneMs)]));
    return clock.now() + pollEveryMs;
  });
  define('generation.reconcile', 1, async () => {
    await handlers.reconcile(AbortSignal.any([cut.signal, AbortSignal.timeout(reconcileMs)]));
    return clock.now() + timings.reconcileEveryMs;
  });

  const keepRecurring = createRecurringJobs(
    options.db,
    [
      { name: 'generation.poll', lanes: pollLanes, everyMs: pollEveryMs },
      { name: 'generation.reconcile', lanes: 1, everyMs: timings.reconcileEveryMs },
    ],
    names,
  );
  const jobs = options.db.collection('agendaJobs');
  /**
   * Whether jobs wait although this process has places for them. Agenda forgets to give back the place
   * of a job whose lock lapsed before it began, as after a stall of the database or of this machine.
   */
  async function isStuck(): Promise<boolean> {
    if (running.size >= options.runsAtOnce) return false;
    const now = clock.now();
    const overdue = await jobs.findOne(
      {
        ...{ name: { $in: names }, disabled: { $ne: true } },
        $or: [
          { lockedAt: null, nextRunAt: { $lte: new Date(now - overdueMs) } },
          { lockedAt: { $lte: new Date(now - timings.lockMs - overdueMs) } },
        ],
      },
      { projection: { _id: 1 } },
    );
    return overdue !== null;
  }

  let works = false;
  async function supervise(): Promise<void> {
    if (skewed()) {
      if (works) await agenda.stop(false);
      log.error({ skewMs: clock.skewMs() }, "this machine's clock is wrong: it takes no work");
      works = false;
      return;
    }
    await keepRecurring(clock.now());
    if (works && (await isStuck())) {
      log.warn({}, 'jobs wait although there are places: Agenda is started afresh');
      await agenda.stop(false);
      works = false;
    }
    if (!works) await agenda.start();
    works = true;
  }

  let supervising: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  function superviseLater(): void {
    timer = setTimeout(() => {
      supervising = supervise()
        .catch((error: unknown) => {
          log.warn({ error }, 'the recurring jobs could not be looked after');
        })
        .then(() => {
          if (timer) superviseLater();
        });
    }, timings.superviseEveryMs);
  }

  return {
    async start() {
      await agenda.ready;
      // Agenda does not wait for this one: trouble with the database would end the process.
      const unlock = agenda.db.unlockJob.bind(agenda.db);
      agenda.db.unlockJob = (job) =>
        unlock(job).catch((error: unknown) => {
          log.warn({ error }, 'a job could not be unlocked: its lock will lapse');
        });
      await supervise();
      superviseLater();
    },
    async stop(graceMs) {
      clearTimeout(timer);
      timer = undefined;
      await supervising;
      await agenda.stop(false);
      const grace = setTimeout(() => {
        cut.abort(new Error('the process is stopping'));
      }, graceMs);
      await Promise.allSettled(running);
      clearTimeout(grace);
    },
  };
}
