import mongoose from 'mongoose';
import { DatabaseUnavailable, DuplicateValue } from '../../application/ports/storeErrors.ts';

const { MongoBulkWriteError, MongoError, MongoServerError } = mongoose.mongo;

/** Codes by which the server says that it is not able to answer now: elections, shutdown, time limits. */
const passing = new Set([
  6, 7, 24, 50, 64, 89, 91, 112, 133, 189, 202, 251, 262, 317, 358, 384, 9001, 10107, 11600, 11601,
  11602, 13435, 13436,
]);

const passingNames =
  /^Mongo(Network|ServerSelection|NotConnected|OperationTimeout|WaitQueueTimeout|PoolCleared|PoolClosed|TopologyClosed|ServerClosed|ExpiredSession|ClientClosed)/;

/**
 * A unique index refused the write: names it, so that the use case knows which rule spoke. A bulk write
 * keeps no more of it than the server's sentence.
 */
export function asDuplicate(error: unknown): unknown {
  if (!(error instanceof MongoServerError) || error.code !== 11000) return error;
  return new DuplicateValue(/ index: (\S+) dup key/.exec(error.message)?.[1] ?? '');
}

/** Trouble with reaching the database becomes `DatabaseUnavailable`; anything else stays as it is. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof MongoError) && !(error instanceof mongoose.Error)) return error;
  // A bulk write hides what cut it off: a connection or its pool that was closed.
  const hidden: unknown = error instanceof MongoBulkWriteError ? error.errorResponse : null;
  const trouble =
    passingNames.test(error.name) ||
    (hidden instanceof Error && passingNames.test(hidden.name)) ||
    (error instanceof MongoServerError && passing.has(Number(error.code))) ||
    (error instanceof MongoError &&
      (error.hasErrorLabel('TransientTransactionError') ||
        error.hasErrorLabel('UnknownTransactionCommitResult') ||
        error.hasErrorLabel('RetryableWriteError')));
  return trouble ? new DatabaseUnavailable(error.message, { cause: error }) : error;
}

/** Whether a commit's own result did not arrive: it may be written, and may be asked for again. */
export function isCommitUnknown(error: unknown): boolean {
  return error instanceof MongoError && error.hasErrorLabel('UnknownTransactionCommitResult');
}

/** The same store whose methods reject with errors that `translate` has looked at. */
export function translating<T extends object>(store: T, translate: (error: unknown) => unknown): T {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]): Promise<unknown> => {
        try {
          return await (Reflect.apply(member, target, args) as Promise<unknown>);
        } catch (error) {
          throw translate(error);
        }
      };
    },
  });
}
