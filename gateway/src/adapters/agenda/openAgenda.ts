import { Agenda, type AgendaBackend, BaseNotificationChannel, type JobParameters } from 'agenda';
import type { mongo } from 'mongoose';
import type { Log } from '@framegate/contract';
import { GuardedRepository, SharedRepository } from './jobRepositories.ts';

/** Agenda, with a way to run due jobs before its next tick. */
export interface OpenAgenda {
  agenda: Agenda;
  /** Locks and runs due jobs of this name now. Does nothing while stopped. */
  notify(jobName: string): Promise<void>;
  /** Returns jobs that were locked ahead. Call it while Agenda is stopped. */
  release(): Promise<void>;
}

/** The notification channel of one process: our own watch for due work reports due jobs. */
class OwnChannel extends BaseNotificationChannel {
  async connect(): Promise<void> {
    this.setState('connected');
  }
  async disconnect(): Promise<void> {
    this.setState('disconnected');
  }
  async publish(): Promise<void> {
    // Any process writes jobs as plain documents.
  }
  notify(jobName: string): Promise<void> {
    const jobId = '' as NonNullable<JobParameters['_id']>;
    return this.notifyHandlers({
      jobId,
      jobName,
      nextRunAt: null,
      priority: 0,
      timestamp: new Date(),
    });
  }
}

/** Opens Agenda on our existing connection. It creates no indexes and keeps no log of its own. */
export function openAgenda(options: {
  db: mongo.Db;
  log: Log;
  /** Name of this worker, written into the jobs that it locks. */
  processName: string;
  /** Its own check interval, in ms; it locks jobs that are due before its next check. */
  processEveryMs: number;
  maxConcurrency: number;
  lockMs: number;
  /** The name of jobs with batched statements, and how many more of them may run; absent for none. */
  shared?: { name: string; atOnce: number; slotsLeft: () => number };
}): OpenAgenda {
  const { db, log, lockMs, shared } = options;
  const onError = (error: unknown) => {
    log.warn({ error }, 'failed to unlock a job; its lock will expire');
  };
  const sharing = shared && new SharedRepository(db, { ...shared, lockMs, onError });
  const repository = sharing ?? new GuardedRepository(db, onError);
  const backend: AgendaBackend = {
    name: 'MongoDB',
    repository,
    ownsConnection: false,
    connect: () => repository.connect(),
    disconnect: async () => undefined,
  };
  const channel = new OwnChannel();
  const agenda = new Agenda({
    backend,
    notificationChannel: channel,
    name: options.processName,
    processEvery: options.processEveryMs,
    maxConcurrency: options.maxConcurrency,
    defaultLockLifetime: lockMs,
    removeOnComplete: true,
    logging: { default: false },
  });
  agenda.on('error', (error: Error) => {
    // A job whose generation ended during the run no longer exists; nothing is lost.
    log.debug({ error: error.message }, 'Agenda reported an error');
  });
  if (shared && sharing) {
    // Refill once half of the slots are free, so that jobs need not wait for the next check for due work.
    agenda.on(`complete:${shared.name}`, () => {
      setImmediate(() => {
        if (!sharing.hasSlotsAgain(shared.atOnce / 2)) return;
        channel.notify(shared.name).catch((error: unknown) => {
          log.warn({ error }, 'failed to run due jobs');
        });
      });
    });
  }
  return {
    agenda,
    notify: (jobName) => channel.notify(jobName),
    release: async () => sharing?.release(),
  };
}
