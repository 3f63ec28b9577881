import { hostname } from 'node:os';
import type { mongo } from 'mongoose';
import type { Log } from '@framegate/contract';
import { repeatEvery, setWithin } from '@framegate/limits';
import type { RoutesReload } from '../../application/ports/providers.ts';
import type { Collections } from './collections.ts';
import type { DatabaseClock } from './databaseClock.ts';
import { retry, whileStarting } from './errors.ts';
import { releaseLeases } from './jobs/releaseLeases.ts';
import { codeVersion } from './migrate.ts';
import type { StoredProcess } from './models/processes.ts';

const heartbeatMs = 2_000;
/** A process without a heartbeat for this time, in ms, loses its transactions, leases and locks. */
const silentAfterMs = 6_000;
/** A process with a heartbeat within this time, in ms, counts as live. */
export const liveMs = 15_000;
/** How long after a database outage leases that expired in it remain with their holders, in ms. */
const recoveryMs = 15_000;
/** Time limit of a statement, in ms: a hung server must not delay the heartbeat. */
const maxTimeMS = 5_000;
/** Maximum sessions used for transactions by one process before the oldest are forgotten. */
const maxSessions = 300;

/** Purpose of a process; `command` is one of the admin commands. */
export type ProcessRole = 'all' | 'api' | 'worker' | 'command';

/** The live processes on this database. */
export interface ProcessRegistry {
  /** Whether the database answered this process's last heartbeat. */
  isAnswering(): boolean;
  /**
   * Whether the database has not answered this process for a while, had a wrong clock, or has only just recovered.
   * Leases that expired meanwhile may belong to live processes, which will soon renew them.
   */
  isRecovering(): boolean;
  /**
   * Sets the handler for a schema with which this code no longer works: a newer release has migrated the database while
   * this process was suspended. It is called once, from a heartbeat.
   */
  onUnfit(end: (reason: Error) => void): void;
  /** Sets the handler for a command's request to reload the routes (`requestReload`). */
  onReload(reload: () => Promise<RoutesReload>): void;
  /** Records a session before its first transaction, so that others can end it for this process. */
  recordSession(session: mongo.ClientSession): Promise<void>;
  stop(): Promise<void>;
}

/** The record of a process without a recent heartbeat. */
type SilentProcess = Pick<StoredProcess, '_id' | 'seenAt'> &
  Partial<Pick<StoredProcess, 'sessions'>>;

/** The registry of a process that only reads and does not register. */
export const unregisteredProcess: ProcessRegistry = {
  isAnswering: () => true,
  isRecovering: () => false,
  onUnfit: () => undefined,
  onReload: () => undefined,
  recordSession: async () => undefined,
  stop: async () => undefined,
};

/**
 * Writes this process's heartbeat every two seconds, and cleans up after processes without one. A process that dies
 * within a transaction leaves its documents locked, for 60 s by MongoDB's default. The first process that misses the
 * heartbeat ends its sessions, which frees them within ten seconds (MongoDB lets each database user end its own
 * sessions), and releases its leases and locks. A slow process repeats its aborted transaction.
 */
export async function joinProcesses(options: {
  db: mongo.Db;
  collections: Pick<Collections, 'processes' | 'generations' | 'jobs'>;
  clock: DatabaseClock;
  log: Log;
  self: { id: string; role: ProcessRole };
  /** @returns A sentence for the operator: why this code does not work with the schema; null if it does. */
  checkSchema: () => Promise<Error | null>;
}): Promise<ProcessRegistry> {
  const { db, clock, log, self } = options;
  const { processes } = options.collections;
  let isAnswering = true;
  /** Keyed by text, because a session's id is 16 bytes. */
  const sessions = new Map<string, unknown>();
  /** By the monotonic clock: the last written heartbeat, and the first after an outage. */
  let writtenAt = performance.now();
  let returnedAt = -Infinity;
  let reload: (() => Promise<RoutesReload>) | null = null;
  let endUnfit: ((reason: Error) => void) | null = null;
  /** The last reload request that was taken, and its result. */
  let reloaded: (RoutesReload & { request: string }) | { request: string } | null = null;

  let lastWrite = Promise.resolve();
  let nextWrite: Promise<void> | null = null;

  /** Writes are sequential: on two connections an older list of sessions could overtake a newer one. */
  function writeHeartbeat(): Promise<void> {
    nextWrite ??= lastWrite
      .catch(() => undefined)
      .then(() => {
        nextWrite = null;
        return writeState();
      });
    lastWrite = nextWrite;
    return nextWrite;
  }

  async function writeState(): Promise<void> {
    const state = {
      role: self.role,
      host: hostname(),
      seenAt: '$$NOW',
      codeVersion,
      clock: clock.vote(),
      sessions: [...sessions.values()],
      released: false,
      reloaded: { $literal: reloaded },
    };
    const document = await processes.findOneAndUpdate({ _id: self.id }, [{ $set: state }], {
      upsert: true,
      returnDocument: 'after',
      projection: { reloadRequest: 1 },
      maxTimeMS,
    });
    const request = document?.reloadRequest;
    if (reload && request !== undefined && request !== reloaded?.request) {
      reloaded = { request };
      // Not awaited: the next heartbeats must not wait for it. It never throws.
      void reload().then((result) => (reloaded = { request, ...result }));
    }
    const nowMs = performance.now();
    if (nowMs - writtenAt > silentAfterMs) returnedAt = nowMs;
    writtenAt = nowMs;
  }

  function isRecovering(): boolean {
    const nowMs = performance.now();
    return nowMs - writtenAt > silentAfterMs || nowMs - returnedAt < recoveryMs;
  }

  async function endSilent(silent: readonly SilentProcess[]): Promise<void> {
    for (const { _id, seenAt, sessions: ids = [] } of silent) {
      const killSessions = ids.map((id) => ({ id }));
      if (killSessions.length > 0) await db.command({ killSessions, maxTimeMS });
      // After an outage of the database all processes seem silent until their next heartbeat.
      const isReleased = !isRecovering();
      const count = isReleased
        ? await releaseLeases(options.collections, { now: clock.serverNow }, _id)
        : 0;
      // A slow process records its sessions again with its next heartbeat.
      await processes.updateOne(
        { _id, seenAt },
        { $set: { sessions: [], released: isReleased } },
        { maxTimeMS },
      );
      if (isReleased) {
        log.warn({ process: _id, count }, 'process stopped responding; others take over its work');
      }
    }
  }

  async function sendHeartbeat(): Promise<void> {
    await writeHeartbeat();
    // The records have the server's own time.
    const nowMs = clock.serverNow();
    const silentExpression = { $lt: ['$seenAt', new Date(nowMs - silentAfterMs)] };
    // Includes dead processes, which leave the database within a minute. The sessions of live ones are not needed.
    const projection = {
      role: 1,
      clock: 1,
      seenAt: 1,
      released: 1,
      sessions: { $cond: [silentExpression, '$sessions', '$$REMOVE'] },
    } as const;
    const documents = await processes.find({}, { projection, maxTimeMS }).toArray();
    const isSeen = ({ seenAt }: Pick<StoredProcess, 'seenAt'>, forMs: number) =>
      seenAt.getTime() >= nowMs - forMs;
    const silent = documents.filter(
      (each) => each._id !== self.id && !each.released && !isSeen(each, silentAfterMs),
    );
    const isLive = (each: (typeof documents)[number]) =>
      isSeen(each, liveMs) && each.role !== 'command';
    const others = documents.filter((each) => each._id !== self.id && isLive(each));
    clock.judgeVotes(others.map((each) => each.clock));
    if (clock.wrongClock() === 'database') returnedAt = performance.now();
    // After a step of its clock all processes seem silent until their next heartbeat.
    if (clock.wrongClock() !== 'database') await endSilent(silent.slice(0, 20));
    isAnswering = true;
    const unfit = endUnfit && (await options.checkSchema());
    if (!unfit) return;
    endUnfit?.(unfit);
    endUnfit = null;
  }

  await retry(sendHeartbeat, whileStarting);
  let beating = Promise.resolve();
  const stopBeating = repeatEvery(
    heartbeatMs,
    () => (beating = sendHeartbeat()),
    (error) => {
      isAnswering = false;
      log.warn({ error }, 'failed to write the heartbeat of this process');
    },
  );
  return {
    isAnswering: () => isAnswering,
    isRecovering,
    onUnfit(end) {
      endUnfit = end;
    },
    onReload(work) {
      reload = work;
    },
    async recordSession({ id }) {
      if (id === undefined) return;
      const name = id.id.toString('hex');
      if (sessions.has(name)) return;
      setWithin(sessions, name, id.id, maxSessions);
      try {
        await writeHeartbeat();
      } catch (error) {
        sessions.delete(name);
        throw error;
      }
    },
    async stop() {
      stopBeating();
      await beating.catch(() => undefined);
      await processes.deleteOne({ _id: self.id }, { maxTimeMS }).catch(() => undefined);
    },
  };
}
