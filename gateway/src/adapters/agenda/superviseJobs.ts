import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import mongoose from 'mongoose';
import type { Clock, Log } from '../../application/ports/system.ts';

/** The places of one kind of job in this process. */
export interface Place {
  taken: number;
  atOnce: number;
  /** When the last one began, by the monotonic clock. */
  beganAt: number;
}

/** Restarts Agenda in this process when it stands still. */
export interface Supervisor {
  start(): Promise<void>;
  /** Halts Agenda at once and for good. */
  stop(): Promise<void>;
}

/** A due job that no process has taken for this time, in ms, suggests that Agenda stands still. */
const overdueMs = 10_000;

/**
 * Supervises the recurring jobs, this machine's clock and Agenda itself, every few seconds. Agenda is
 * halted while the clock is wrong, and started afresh when it stands still at two checks in a row.
 */
export function createSupervisor(parts: {
  db: mongo.Db;
  log: Log;
  clock: Clock;
  timings: { lockMs: number; superviseEveryMs: number };
  /** Whether this machine's clock is too far off. */
  skewed(): boolean;
  places: ReadonlyMap<string, Place>;
  keepRecurring(nowMs: number): Promise<void>;
  /** Jobs that were locked at least this time ago, in ms, and have not begun. */
  forgottenLocks(forMs: number): number;
  stopping: AbortSignal;
  resume(): Promise<void>;
  halt(): Promise<void>;
}): Supervisor {
  const { log, clock, timings, places, stopping } = parts;
  const jobs = parts.db.collection('agendaJobs');
  const isStopping = () => stopping.aborted;
  let works = false;
  let wasStuck = false;

  async function isOverdue(name: string): Promise<boolean> {
    const now = clock.now();
    const overdue = await jobs.findOne(
      {
        name,
        disabled: { $ne: true },
        $or: [
          { lockedAt: null, nextRunAt: { $lte: new Date(now - overdueMs) } },
          { lockedAt: { $lte: new Date(now - timings.lockMs - overdueMs) } },
        ],
      },
      { projection: { _id: 1 } },
    );
    return overdue !== null;
  }

  /**
   * Whether Agenda stands still in this process: it keeps locks whose runs never begin (it forgets to
   * give back the place of a job whose lock lapsed before, as after a stall of the database or of this
   * machine), or it has begun nothing for a while although jobs are overdue and there are places. Jobs
   * that merely wait their turn show neither.
   */
  async function isStuck(): Promise<boolean> {
    if (parts.forgottenLocks(timings.lockMs + overdueMs) > 0) return true;
    for (const [name, { taken, atOnce, beganAt }] of places) {
      if (taken >= atOnce || performance.now() - beganAt < overdueMs) continue;
      if (await isOverdue(name)) return true;
    }
    return false;
  }

  async function halt(): Promise<void> {
    works = false;
    await parts.halt().catch((error: unknown) => {
      log.warn({ error }, 'jobs that were locked could not be given back: their locks will lapse');
    });
  }

  async function supervise(): Promise<void> {
    if (parts.skewed()) {
      if (works) await halt();
      log.error({ skewMs: clock.skewMs() }, "this machine's clock is wrong: it takes no work");
      return;
    }
    await parts.keepRecurring(clock.now());
    const isStandingStill = works && (await isStuck());
    if (isStandingStill && wasStuck) {
      log.warn({}, 'jobs wait although there are places: Agenda is started afresh');
      await halt();
    }
    wasStuck = isStandingStill;
    if (works || isStopping()) return;
    for (const place of places.values()) place.beganAt = performance.now();
    await parts.resume();
    works = true;
  }

  const trySupervise = () =>
    supervise().catch((error: unknown) => {
      log.warn({ error }, 'the recurring jobs could not be supervised');
    });

  async function superviseUntilStopped(): Promise<void> {
    while (!isStopping()) {
      const next = pause(timings.superviseEveryMs, undefined, { signal: stopping });
      await next.catch(() => undefined);
      if (isStopping()) return;
      await trySupervise();
    }
  }

  let supervising: Promise<void> = Promise.resolve();
  return {
    async start() {
      // The next round does the work that a step-down of the primary interrupts.
      await trySupervise();
      supervising = superviseUntilStopped();
    },
    async stop() {
      await halt();
      await supervising;
      // It was being started at that moment.
      if (works) await halt();
    },
  };
}

/** The recurring jobs by name: how many lanes of each, and how often each lane runs, in ms. */
export interface RecurringJob {
  name: string;
  lanes: number;
  everyMs: number;
}

/** Times of jobs that are further in the future than this were written by a wrong clock, in ms. */
const slackMs = 5_000;

/** Recurring jobs of earlier versions, which nothing runs any more. */
const retired = ['generation.reconcile'];

/**
 * Keeps the recurring jobs as they should be, however Agenda's collection was emptied, doubled or
 * written to by a process with a wrong clock: without them nothing would poll, heal or make lost jobs
 * again. Each has an id made from its name and lane, so there is one only. Agenda's own `every` would
 * unlock one that is running and enable again what support has disabled.
 * @returns Makes what is missing and mends the rest; `nowMs` is database time.
 */
export function createRecurringJobs(
  db: mongo.Db,
  wanted: readonly RecurringJob[],
  allNames: readonly string[],
): (nowMs: number) => Promise<void> {
  const jobs = db.collection('agendaJobs');
  const names = wanted.map(({ name }) => name);
  const documents = wanted.flatMap(({ name, lanes, everyMs }) =>
    Array.from({ length: lanes }, (_, lane) => ({ _id: idOf(name, lane), name, lane, everyMs })),
  );
  return async (nowMs) => {
    const now = new Date(nowMs);
    const make = documents.map(({ _id, name, lane, everyMs }) => ({
      updateOne: {
        filter: { _id },
        update: {
          $setOnInsert: {
            name,
            type: 'normal',
            priority: 0,
            data: { lane },
            repeatInterval: everyMs,
            nextRunAt: now,
          },
        },
        upsert: true,
      },
    }));
    const bringBack = documents.map(({ _id, everyMs }) => ({
      updateOne: {
        filter: {
          _id,
          $or: [{ nextRunAt: { $gt: new Date(nowMs + everyMs + slackMs) } }, { nextRunAt: null }],
        },
        update: { $set: { nextRunAt: now } },
      },
    }));
    const lockedAhead = {
      name: { $in: [...allNames] },
      lockedAt: { $gt: new Date(nowMs + slackMs) },
    };
    const surplus = {
      name: { $in: [...names, ...retired] },
      _id: { $nin: documents.map(({ _id }) => _id) },
    };
    await jobs
      .bulkWrite(
        [
          ...make,
          ...bringBack,
          { updateMany: { filter: lockedAhead, update: { $set: { lockedAt: null } } } },
          { deleteMany: { filter: surplus } },
        ],
        { ordered: false },
      )
      .catch((error: unknown) => {
        // Another process made the same one at the same moment.
        if (!(error instanceof mongoose.mongo.MongoServerError) || error.code !== 11000)
          throw error;
      });
  };
}

function idOf(name: string, lane: number): mongoose.mongo.ObjectId {
  const digest = createHash('sha256').update(`${name} ${lane}`).digest();
  return new mongoose.mongo.ObjectId(digest.subarray(0, 12));
}
