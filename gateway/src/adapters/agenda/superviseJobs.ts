import type { mongo } from 'mongoose';
import type { Log } from '@framegate/contract';
import { pause } from '@framegate/limits';
import type { Clock } from '../../application/ports/system.ts';

/** The slots of one kind of job in this process. */
export interface JobSlots {
  taken: number;
  atOnce: number;
  /** Start of the latest job, by the monotonic clock. */
  startedAt: number;
}

/** Restarts Agenda in this process if it stalls. */
export interface Supervisor {
  start(): Promise<void>;
  /** Halts Agenda immediately and permanently. */
  stop(): Promise<void>;
}

/** Time without any process taking a due job, in ms, that suggests a stalled Agenda. */
const overdueMs = 10_000;
/** Interval for checking this machine's clock, in ms. */
const clockEveryMs = 1_000;

/**
 * Supervises the recurring jobs, this machine's clock and Agenda itself, every few seconds. Agenda is halted while the
 * clock is wrong. It is restarted if it has stalled at two consecutive checks, or if this process or the database was
 * suspended for so long that locks may have expired before their runs began: Agenda never frees those slots.
 */
export function createSupervisor(parts: {
  jobs: mongo.Collection;
  log: Log;
  clock: Clock;
  timings: { lockMs: number; superviseEveryMs: number };
  /** Whether this machine's and the database's clocks are close enough. */
  mayWork(): boolean;
  /** The slots of all kinds of jobs. */
  slots: ReadonlyMap<string, JobSlots>;
  /** Whether this process maintains the recurring jobs for all. */
  leads(): boolean;
  keepRecurring(nowMs: number): Promise<void>;
  stopping: AbortSignal;
  resume(): Promise<void>;
  stopTakingJobs(): Promise<void>;
}): Supervisor {
  const { jobs, log, clock, timings, slots, stopping } = parts;
  const { lockMs, superviseEveryMs } = timings;
  const isStopping = () => stopping.aborted;
  let isWorking = false;
  let wasStuck = false;
  /** The last complete round, by the monotonic clock. */
  let supervisedAt = -Infinity;

  /**
   * Whether Agenda has started nothing for a while although jobs are overdue and there are slots. Jobs that merely
   * wait their turn do not count.
   */
  async function isStuck(): Promise<boolean> {
    const before = performance.now() - overdueMs;
    const idle = [...slots].filter(
      ([, { taken, atOnce, startedAt }]) => taken < atOnce && startedAt < before,
    );
    if (idle.length === 0) return false;
    const nowMs = clock.now();
    const overdue = await jobs.findOne(
      {
        name: { $in: idle.map(([name]) => name) },
        disabled: { $ne: true },
        $or: [
          { lockedAt: null, nextRunAt: { $lte: new Date(nowMs - overdueMs) } },
          { lockedAt: { $lte: new Date(nowMs - lockMs - overdueMs) } },
        ],
      },
      { projection: { _id: 1 } },
    );
    return overdue !== null;
  }

  async function stopTakingJobs(): Promise<void> {
    isWorking = false;
    await parts.stopTakingJobs().catch((error: unknown) => {
      log.warn({ error }, 'failed to release locked jobs; their locks will expire');
    });
  }

  async function stopWhenSkewed(): Promise<boolean> {
    if (parts.mayWork()) return false;
    if (isWorking) {
      const whose = clock.wrongClock() === 'database' ? "the database's" : "this machine's";
      log.error({ skewMs: clock.skewMs() }, `${whose} clock is wrong; stopping work`);
      await stopTakingJobs();
    }
    return true;
  }

  async function supervise(): Promise<void> {
    const [askedAt, before] = [performance.now(), supervisedAt];
    if (!isWorking || parts.leads()) await parts.keepRecurring(clock.now());
    const isStandingStill = isWorking && (await isStuck());
    const hasStoodStill = isWorking && askedAt - before > lockMs / 2 + superviseEveryMs;
    if (hasStoodStill || (isStandingStill && wasStuck)) {
      const reason = hasStoodStill
        ? 'no supervision round completed in time'
        : 'due jobs are waiting although slots are free';
      log.warn({ reason }, 'restarting Agenda');
      await stopTakingJobs();
    }
    wasStuck = isStandingStill;
    if (!isWorking && !isStopping()) {
      for (const slot of slots.values()) slot.startedAt = performance.now();
      await parts.resume();
      isWorking = true;
    }
    supervisedAt = performance.now();
  }

  const trySupervise = async () => {
    try {
      if (await stopWhenSkewed()) return;
      if (isWorking && performance.now() - supervisedAt < superviseEveryMs) return;
      await supervise();
    } catch (error) {
      log.warn({ error }, 'failed to supervise the recurring jobs');
    }
  };

  async function superviseUntilStopped(): Promise<void> {
    const everyMs = Math.min(clockEveryMs, superviseEveryMs);
    while (!isStopping()) {
      await pause(everyMs, stopping);
      if (isStopping()) return;
      await trySupervise();
    }
  }

  let supervising: Promise<void> = Promise.resolve();
  return {
    async start() {
      // The next round redoes work interrupted by a step-down of the primary.
      await trySupervise();
      supervising = superviseUntilStopped();
    },
    async stop() {
      await stopTakingJobs();
      await supervising;
      // Agenda was just being started.
      if (isWorking) await stopTakingJobs();
    },
  };
}
