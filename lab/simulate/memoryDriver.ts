import type { mongo } from 'mongoose';
import { minuteMs } from '@framegate/contract';
import { collectionNames, type Collections } from '../../gateway/src/adapters/mongo/collections.ts';
import { openCollection, type Session } from './memoryCollection.ts';
import {
  lostResponse,
  type MemoryDatabase,
  momentAt,
  type Transaction,
  writeConflict,
} from './memoryDatabase.ts';
import type { VirtualTime } from './virtualTime.ts';

/**
 * The fault of a statement: it never arrives, its response is lost, its response comes only after every lease has
 * expired, or the server gives up its commit without a response.
 */
export type Trouble = 'refused' | 'lost' | 'late' | 'gone';

/** The process behind a connection. */
export interface Host {
  isDead(): boolean;
  /** End of its standstill, by the monotonic clock, in ms. */
  frozenUntil(): number;
  /** The fault of the next statement. */
  trouble(): Trouble | null;
  fraction(): number;
}

/** Maximum delay of a statement or a response, and of a late one, in ms. */
const wayMs = 4;
const lateMs = minuteMs;
/** How long a server lets a transaction stay open, as MongoDB by default (`transactionLifetimeLimitSeconds`), in ms. */
const transactionLivesMs = minuteMs;

const hang = () => new Promise<never>(() => undefined);
const isConflict = (error: unknown) => (error as { code?: number }).code === 112;

/** A connection of one process to the database in memory, as far as the stores use the driver. */
export function connectInMemory(database: MemoryDatabase, time: VirtualTime, host: Host) {
  const crossNetwork = async () => {
    await time.pause(host.fraction() * wayMs);
    while (host.frozenUntil() > time.now()) await time.pause(host.frozenUntil() - time.now());
    if (host.isDead()) await hang();
  };

  /** A write waits for the transaction that holds its document; within a transaction it fails. */
  async function retryConflicts<T>(work: () => T, session?: Session): Promise<T> {
    for (;;) {
      try {
        return time.atDatabase(work);
      } catch (error) {
        if (session?.transaction) database.abort(session.transaction);
        if (session?.transaction || !isConflict(error)) throw error;
        await crossNetwork();
      }
    }
  }

  async function ask<T>(work: () => Promise<T> | T, session?: Session): Promise<T> {
    const trouble = host.trouble();
    const label = session?.transaction ? 'TransientTransactionError' : 'RetryableWriteError';
    await crossNetwork();
    if (trouble === 'late') await time.pause(lateMs * host.fraction());
    if (host.isDead()) await hang();
    if (trouble === 'refused') throw lostResponse(label);
    const response = await work();
    await crossNetwork();
    if (trouble === 'lost') throw lostResponse(label);
    return response;
  }

  const begun = new Set<Transaction>();

  class OwnSession implements Session {
    transaction: Transaction | null = null;
    snapshotTime: mongo.Timestamp | undefined;
    private isCommitted = false;
    startTransaction(): void {
      const transaction = database.begin();
      this.transaction = transaction;
      begun.add(transaction);
      void time.pause(transactionLivesMs).then(() => database.abort(transaction));
    }
    inTransaction(): boolean {
      return this.transaction !== null && !this.transaction.isOver;
    }
    async commitTransaction(): Promise<void> {
      const { transaction } = this;
      const trouble = host.trouble();
      await crossNetwork();
      if (trouble === 'late') await time.pause(lateMs * host.fraction());
      if (host.isDead()) await hang();
      if (!transaction || this.isCommitted) return;
      if (trouble === 'gone') database.abort(transaction);
      if (trouble === 'refused' || trouble === 'gone') {
        throw lostResponse('UnknownTransactionCommitResult');
      }
      if (transaction.isOver) throw writeConflict();
      database.commit(transaction);
      this.isCommitted = true;
      await crossNetwork();
      if (trouble === 'lost') throw lostResponse('UnknownTransactionCommitResult');
    }
    async abortTransaction(): Promise<void> {
      if (this.transaction) database.abort(this.transaction);
    }
    async endSession(): Promise<void> {
      if (!this.transaction) return;
      if (!this.isCommitted) database.abort(this.transaction);
      begun.delete(this.transaction);
    }
  }

  const read = <T>(work: () => T, session?: Session) => ask(() => time.atDatabase(work), session);
  const connection = { database, ask, change: retryConflicts, read };
  const named = Object.entries(collectionNames).map(([key, name]) => [
    key,
    openCollection(name, connection),
  ]);
  return {
    collections: Object.fromEntries(named) as unknown as Collections,
    /** Ends the transactions that a dead process has left open. */
    endSessions: (): void => {
      for (const each of begun) database.abort(each);
      begun.clear();
    },
    client: {
      startSession({ snapshot = false } = {}) {
        const session = new OwnSession();
        if (snapshot) {
          session.startTransaction();
          session.snapshotTime = momentAt(time.databaseNow());
        }
        return session;
      },
    } as unknown as mongo.MongoClient,
  };
}
