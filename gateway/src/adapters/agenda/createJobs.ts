import { Agenda, type Job } from 'agenda';
import { MongoBackend } from '@agendajs/mongo-backend';
import type { mongo } from 'mongoose';
import type { Clock, Log } from '../../application/ports/system.ts';
import type { NextRun } from '../../application/ports/generations.ts';
import { withinTime } from '../../application/ports/concurrency.ts';
import { replaceJobState } from './jobRepository.ts';
import {
  createRecurringJobs,
  createSupervisor,
  type RecurringJob,
  type Place,
} from './superviseJobs.ts';

/** What the jobs do; each is safe to run at any time, twice, or not at all for a while. */
export interface JobHandlers {
  /** Does what the generation needs next. @param cut Aborts it when the process must end. */
  run(generationId: string, cut: AbortSignal): Promise<NextRun>;
  /** Polls generations that are due, until the signal says that it is time to end. */
  poll(signal: AbortSignal): Promise<void>;
  /** Sends the mails that are due; absent where there is no mail server. */
  sendMails?: (signal: AbortSignal) => Promise<void>;
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
  reconcileEveryMs: number;
  /** How often the recurring jobs and this machine's clock are checked. */
  superviseEveryMs: number;
}

const tickMs = 250;
const pollLanes = 2;
const pollEveryMs = 500;
/** How long a mail waits for its first try at most, in ms. */
const mailEveryMs = 1_000;
/** The signal of a round of polling or upkeep aborts after this time, in ms. */
const roundMs = 20_000;
/** Shards of a lane of upkeep that one process works on at once. */
const shardsAtOnce = 2;
/** A worker whose clock is further off than this leaves new work to others, in ms. */
const maxSkewMs = 2_000;
/** A run that failed comes again after the first of these, doubled each time up to the second, in ms. */
const retryMs = { first: 5_000, most: 300_000 };

/** The job of a lane of upkeep. */
const upkeepJob = (lane: string) => `upkeep.${lane}`;

/** How long a job waits after this number of failures in a row: with jitter, so that jobs spread out. */
function retryDelayMs(failures: number): number {
  const delay = Math.min(retryMs.most, retryMs.first * 2 ** (failures - 1));
  return delay * (0.75 + Math.random() / 2);
}

/**
 * Agenda's backend without the log of jobs, which is not used. It would make that log's indexes at every
 * start, and Agenda does not catch the error when the primary steps down meanwhile: the process would end.
 */
class Backend extends MongoBackend {
  override connect(): Promise<void> {
    return this.repository.connect();
  }
}

/**
 * Agenda on the connection that we have: `generation.run` (one job per unfinished generation),
 * `generation.poll` and the lanes of upkeep. Agenda only starts work: the generation documents are the
 * truth. It decides about locks and due times by this machine's wall clock, so it is stopped while that is
 * wrong (I10).
 */
export function createJobs(options: {
  db: mongo.Db;
  log: Log;
  clock: Clock;
  processName: string;
  handlers: JobHandlers;
  /** Generations started or finished at once in this process. */
  runsAtOnce: number;
  /** Lanes of upkeep, and into how many shards each is divided. */
  lanes: Readonly<Record<string, number>>;
  timings: JobTimings;
}): Jobs {
  const { log, clock, handlers, timings, runsAtOnce } = options;
  const lanes = Object.entries(options.lanes);
  const agenda = new Agenda({
    backend: new Backend({ mongo: options.db, ensureIndex: false }),
    name: options.processName,
    processEvery: tickMs,
    // One more for mails.
    maxConcurrency: runsAtOnce + pollLanes + 1 + lanes.length * shardsAtOnce,
    defaultLockLifetime: timings.lockMs,
    removeOnComplete: true,
    logging: { default: false },
  });
  agenda.on('error', (error: Error) => {
    // A job whose generation ended while it ran is gone by then: nothing is lost.
    log.debug({ error: error.message }, 'agenda');
  });
  const jobs = options.db.collection('agendaJobs');
  let repository: ReturnType<typeof replaceJobState> | null = null;

  const stopping = new AbortController();
  const cut = new AbortController();
  const running = new Set<Promise<void>>();
  const places = new Map<string, Place>();
  /** Whether the clock is too far off to trust what Agenda decides by it. */
  const skewed = () => Math.abs(clock.skewMs()) > maxSkewMs;

  const define = (name: string, atOnce: number, work: (job: Job) => Promise<NextRun>) => {
    const place = { taken: 0, atOnce, beganAt: performance.now() };
    places.set(name, place);
    const run = async (job: Job): Promise<void> => {
      const touching = setInterval(() => {
        repository?.touch(job.attrs).catch(() => undefined);
      }, timings.lockMs / 4);
      const failures = job.attrs.failCount ?? 0;
      const later = { nextRunAt: new Date(clock.now() + retryDelayMs(failures + 1)) };
      let end = { ...later, failCount: failures } as { nextRunAt: Date | null; failCount: number };
      try {
        // Started afresh, Agenda does not know of the runs before.
        if (!skewed() && place.taken <= atOnce) {
          const { at, held } = await work(job);
          end = { nextRunAt: at === null ? null : new Date(at), failCount: held ? failures : 0 };
        }
      } catch (error) {
        end = { ...later, failCount: failures + 1 };
        if (!cut.signal.aborted)
          log.error({ error, job: name, data: job.attrs.data }, 'a job failed');
      } finally {
        clearInterval(touching);
      }
      // Agenda removes a job without a next run when the handler returns.
      job.attrs.nextRunAt = end.nextRunAt;
      repository?.conclude(job.attrs, end);
    };
    const tracked = async (job: Job): Promise<void> => {
      place.taken += 1;
      place.beganAt = performance.now();
      const done = run(job);
      running.add(done);
      await done.finally(() => {
        running.delete(done);
        place.taken -= 1;
      });
    };
    // As many locks as places: a lock that waits for a place could lapse.
    const limits = { concurrency: atOnce, lockLimit: atOnce, lockLifetime: timings.lockMs };
    agenda.define(name, tracked, limits);
  };

  /** One round of a recurring job, which ends when the process stops or its time is over. */
  async function round(
    everyMs: number,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<NextRun> {
    await withinTime(roundMs, stopping.signal, work);
    return { at: clock.now() + everyMs, held: false };
  }

  define('generation.run', runsAtOnce, (job) =>
    handlers.run((job.attrs.data as { generationId: string }).generationId, cut.signal),
  );
  define('generation.poll', pollLanes, () => round(pollEveryMs, (signal) => handlers.poll(signal)));
  const { sendMails } = handlers;
  if (sendMails) {
    define('mail.send', 1, () => round(mailEveryMs, (signal) => sendMails(signal)));
  }
  for (const [lane] of lanes) {
    define(upkeepJob(lane), shardsAtOnce, (job) =>
      round(timings.reconcileEveryMs, (signal) =>
        handlers.upkeep(lane, (job.attrs.data as { lane: number }).lane, signal),
      ),
    );
  }

  const names = [...places.keys()];
  const recurring: RecurringJob[] = [
    { name: 'generation.poll', lanes: pollLanes, everyMs: pollEveryMs },
    ...(sendMails ? [{ name: 'mail.send', lanes: 1, everyMs: mailEveryMs }] : []),
    ...lanes.map(([lane, shards]) => ({
      name: upkeepJob(lane),
      lanes: shards,
      everyMs: timings.reconcileEveryMs,
    })),
  ];
  const supervisor = createSupervisor({
    db: options.db,
    log,
    clock,
    timings,
    skewed,
    places,
    keepRecurring: createRecurringJobs(options.db, recurring, names),
    forgottenLocks: (forMs) => repository?.forgottenSince(performance.now() - forMs) ?? 0,
    stopping: stopping.signal,
    async resume() {
      repository?.open();
      await agenda.start();
    },
    async halt() {
      repository?.close();
      await agenda.stop(false);
    },
  });

  return {
    async start() {
      await agenda.ready;
      repository = replaceJobState(agenda.db, jobs, (error) => {
        log.warn({ error }, 'a job could not be unlocked: its lock will lapse');
      });
      await supervisor.start();
    },
    async stop(graceMs) {
      stopping.abort(new Error('the process is stopping'));
      const grace = setTimeout(() => {
        cut.abort(new Error('the process is stopping'));
      }, graceMs);
      await supervisor.stop();
      await Promise.allSettled(running);
      clearTimeout(grace);
    },
  };
}
