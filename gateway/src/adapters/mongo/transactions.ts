import mongoose, { type mongo } from 'mongoose';
import { giveUpAfter } from '@framegate/limits';
import { DatabaseUnavailableError } from '../../application/ports/database.ts';
import { asDuplicate, isCommitUnknown, retry } from './errors.ts';

const majority = new mongoose.mongo.WriteConcern('majority');

/** Server-side time limit of each statement of a transaction, and of its commit, in ms. */
const statementMs = 3_000;
/** Time limit of a whole transaction, in ms, for a server that does not respond. */
const transactionMs = 4_000;

/**
 * The result of a commit did not arrive, so the transaction may or may not be written. `groupCommit` and
 * `accountChanges` catch it to find out.
 */
export class CommitUnknownError extends DatabaseUnavailableError {
  override readonly name = 'CommitUnknownError';
  /** Whether the transaction may still be written after this error. */
  readonly isPending: boolean;
  constructor(isPending: boolean, cause?: unknown) {
    super('the database did not confirm a commit in time', { cause });
    this.isPending = isPending;
  }
}

/**
 * The database did not respond; no part of the transaction is or will be written. `groupCommit` catches it
 * and does not retry the units one by one.
 */
export class TransactionTimeoutError extends DatabaseUnavailableError {
  override readonly name = 'TransactionTimeoutError';
}

/** Options for each statement of a transaction. */
export interface InTransaction {
  session: mongo.ClientSession;
  maxTimeMS: number;
}

/** Runs statements in one majority transaction. */
export type RunTransaction = (
  statements: (options: InTransaction) => Promise<void>,
) => Promise<void>;

/**
 * Makes `RunTransaction`. It tries once: the caller decides whether to try again (the driver's
 * own `withTransaction` retries for two minutes and ignores a shorter limit). Only the commit is
 * repeated until the time limit while its result is unknown, which is safe.
 * @param beforeUse Called with each session before its transaction.
 * @throws CommitUnknownError if the result of the commit did not arrive; other database errors, after which
 * nothing is written; DuplicateValueError; the errors of the statements.
 */
export function createRunTransaction(
  client: mongo.MongoClient,
  beforeUse: (session: mongo.ClientSession) => Promise<void>,
): RunTransaction {
  return async (statements) => {
    const session = client.startSession();
    const until = performance.now() + transactionMs;
    let state: 'open' | 'committing' | 'over' = 'open';

    async function run(): Promise<void> {
      try {
        await beforeUse(session);
        session.startTransaction({
          readConcern: { level: 'snapshot' },
          writeConcern: majority,
          readPreference: 'primary',
          maxCommitTimeMS: statementMs,
        });
        await statements({ session, maxTimeMS: statementMs });
        if (state === 'over') return;
        state = 'committing';
        await commit(session, until - performance.now());
      } catch (error) {
        throw asDuplicate(error);
      } finally {
        if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
        await session.endSession().catch(() => undefined);
      }
    }

    await giveUpAfter(transactionMs, run(), () => {
      const isCommitting = state === 'committing';
      state = 'over';
      return isCommitting
        ? new CommitUnknownError(true)
        : new TransactionTimeoutError('the database does not respond');
    });
  };
}

/** Commits, and retries while the result is unknown. */
async function commit(session: mongo.ClientSession, withinMs: number): Promise<void> {
  let attempts = 0;
  try {
    await retry(
      () => {
        attempts += 1;
        return session.commitTransaction();
      },
      { on: isCommitUnknown, withinMs },
    );
  } catch (error) {
    const isUnknown = isCommitUnknown(error);
    // A known first response means that nothing was written.
    throw isUnknown || attempts > 1 ? new CommitUnknownError(isUnknown, error) : error;
  }
}
