import { Agenda, BaseNotificationChannel, type AgendaBackend, type JobParameters } from 'agenda';
import { MongoJobRepository } from '@agendajs/mongo-backend';
import type { mongo } from 'mongoose';
import type { Log } from '../../application/ports/system.ts';

/** Agenda, and a way to have it look for due jobs before its next tick. */
export interface OpenAgenda {
  agenda: Agenda;
  /** Has it lock and run due jobs of this name now. Does nothing while it is stopped. */
  notify(jobName: string): Promise<void>;
}

/** The notification channel of one process: our own look for due work tells when jobs are due. */
class OwnChannel extends BaseNotificationChannel {
  async connect(): Promise<void> {
    this.setState('connected');
  }
  async disconnect(): Promise<void> {
    this.setState('disconnected');
  }
  async publish(): Promise<void> {
    // Jobs are written as plain documents, by any process.
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

/**
 * The one guarded spot (ADR 3): Agenda does not wait for `unlockJob`, so an error of the database in it would
 * end the process.
 */
class GuardedRepository extends MongoJobRepository {
  readonly #onError: (error: unknown) => void;
  constructor(db: mongo.Db, onError: (error: unknown) => void) {
    // The index is made by a migration, which waits for a primary.
    super({ mongo: db, ensureIndex: false });
    this.#onError = onError;
  }
  override unlockJob(job: JobParameters): Promise<void> {
    return super.unlockJob(job).catch(this.#onError);
  }
}

/** Opens Agenda on the connection that we have. It makes no indexes and keeps no log of its own. */
export function openAgenda(options: {
  db: mongo.Db;
  log: Log;
  /** The name that it writes into the jobs that it locks. */
  processName: string;
  /** How often it looks for due jobs by itself, in ms; it locks those that are due before its next look. */
  processEveryMs: number;
  maxConcurrency: number;
  lockMs: number;
}): OpenAgenda {
  const { log } = options;
  const repository = new GuardedRepository(options.db, (error) => {
    log.warn({ error }, 'a job could not be unlocked: its lock will lapse');
  });
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
    defaultLockLifetime: options.lockMs,
    removeOnComplete: true,
    logging: { default: false },
  });
  agenda.on('error', (error: Error) => {
    // A job whose generation ended while it ran is gone by then: nothing is lost.
    log.debug({ error: error.message }, 'agenda');
  });
  return { agenda, notify: (jobName) => channel.notify(jobName) };
}
