import { Agenda, type Job } from 'agenda';
import { MongoBackend } from '@agendajs/mongo-backend';
import type { mongo } from 'mongoose';
import type { Clock, Log } from '../../application/ports.ts';
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

const tickMs = 250;
/** A lock that its process does not prolong lapses after so long, in ms; longer than any tick or handler step. */
const lockMs = 60_000;
const touchMs = 15_000;
/** Poll and reconcile handlers stop by themselves well before their lock lapses, in ms. */
const laneMs = 20_000;
const reconcileMs = 40_000;
/** A worker whose clock is further off than this leaves new work to others, in ms (design section 4). */
const skewMaxMs = 2_000;
const skewRetryMs = 5_000;

/**
 * Agenda on the connection that we have: `generation.run` (one job per unfinished generation),
 * `generation.poll` (lanes) and `generation.reconcile`. Agenda only wakes somebody up: the generation
 * documents are the truth. Its document of a running job is written by itself alone.
 */
export function createJobs(options: {
  db: mongo.Db;
  log: Log;
  clock: Clock;
  processName: string;
  handlers: JobHandlers;
  /** Generations started or finished at once in this process. */
  runsAtOnce: number;
}): Jobs {
  const { log, clock, handlers } = options;
  const agenda = new Agenda({
    backend: new MongoBackend({ mongo: options.db as never }),
    name: options.processName,
    processEvery: tickMs,
    maxConcurrency: options.runsAtOnce + 10,
    defaultLockLifetime: lockMs,
    removeOnComplete: true,
    logging: { default: false } as never,
  });
  agenda.on('error', (error: Error) => {
    // A job whose generation ended while it ran is gone by then: nothing is lost.
    log.debug({ error: error.message }, 'agenda');
  });

  const running = new Set<Promise<void>>();
  const cut = new AbortController();
  const define = (name: string, atOnce: number, work: (job: Job) => Promise<void>) => {
    const tracked = async (job: Job): Promise<void> => {
      const done = work(job).catch((error: unknown) => {
        log.error({ error, job: name }, 'a job failed');
        throw error;
      });
      running.add(done);
      try {
        await done;
      } finally {
        running.delete(done);
      }
    };
    // As many locks as places: a lock that waits for a place could lapse.
    agenda.define(name, tracked, { concurrency: atOnce, lockLimit: atOnce, lockLifetime: lockMs });
  };

  const skewed = () => {
    const skewMs = clock.skewMs();
    if (Math.abs(skewMs) <= skewMaxMs) return false;
    log.error({ skewMs }, "this machine's clock is off the database's: it takes no work");
    return true;
  };

  define('generation.run', options.runsAtOnce, async (job) => {
    const { generationId } = job.attrs.data as { generationId: string };
    if (skewed()) {
      job.attrs.nextRunAt = new Date(Date.now() + skewRetryMs);
      return;
    }
    const touching = setInterval(() => {
      job.touch().catch(() => undefined);
    }, touchMs);
    try {
      const again = await handlers.run(generationId, cut.signal);
      // Agenda writes it when the handler returns; without one it removes the job.
      if (again !== null) job.attrs.nextRunAt = new Date(again);
    } catch (error) {
      job.attrs.nextRunAt = new Date(Date.now() + skewRetryMs);
      if (!cut.signal.aborted) log.error({ error, generationId }, 'a generation could not be run');
    } finally {
      clearInterval(touching);
    }
  });
  const lanes = createRecurringJobs(agenda);
  define('generation.poll', lanes.pollLanes, async () => {
    if (!skewed()) await handlers.poll(AbortSignal.any([cut.signal, AbortSignal.timeout(laneMs)]));
  });
  define('generation.reconcile', 1, async () => {
    if (skewed()) return;
    await handlers.reconcile(AbortSignal.any([cut.signal, AbortSignal.timeout(reconcileMs)]));
  });

  return {
    async start() {
      await agenda.ready;
      await lanes.create();
      await agenda.start();
    },
    async stop(graceMs) {
      await agenda.stop(false);
      const grace = setTimeout(() => {
        cut.abort(new Error('the process is stopping'));
      }, graceMs);
      await Promise.allSettled(running);
      clearTimeout(grace);
    },
  };
}
