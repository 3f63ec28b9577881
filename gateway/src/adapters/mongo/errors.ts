import mongoose from 'mongoose';
import { pause } from '@framegate/limits';
import { DatabaseUnavailableError, DuplicateValueError } from '../../application/ports/database.ts';
import { backoffMs } from '../../domain/time/backoff.ts';

const { MongoBulkWriteError, MongoError, MongoServerError } = mongoose.mongo;

/**
 * Error codes of a server that cannot answer now: elections, shutdown, locks, time limits, an unreadable snapshot, and
 * an unknown error of the operating system (8). From src/mongo/base/error_codes.yml.
 */
const transientCodes = new Set([
  6, 7, 8, 24, 46, 50, 64, 89, 91, 112, 133, 134, 189, 202, 246, 251, 262, 317, 358, 384, 9001,
  10107, 11600, 11601, 11602, 13388, 13435, 13436,
]);

const transientNames =
  /^Mongo(Network|ServerSelection|NotConnected|OperationTimeout|WaitQueueTimeout|PoolCleared|PoolClosed|TopologyClosed|ServerClosed|ExpiredSession|ClientClosed)/;

const transientLabels = [
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
  'RetryableWriteError',
];

/**
 * Whether an error means that the database is unreachable or does not respond in time: a request is answered 503, and
 * work may be retried. Stores pass the driver's errors on; only this function distinguishes such trouble from bugs.
 */
export function isDatabaseTrouble(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return true;
  if (!(error instanceof MongoError)) return false;
  // A bulk write hides its cause: a closed connection or pool.
  const hidden: unknown = error instanceof MongoBulkWriteError ? error.errorResponse : null;
  return (
    transientNames.test(error.name) ||
    (hidden instanceof Error && transientNames.test(hidden.name)) ||
    (error instanceof MongoServerError && transientCodes.has(Number(error.code))) ||
    transientLabels.some((label) => error.hasErrorLabel(label))
  );
}

/** The reason for a failed connection, as a sentence for the operator. */
export function describeUnreachable(error: unknown): string {
  const { reason, message = String(error) } = error as { reason?: TopologyState; message?: string };
  const areReachable = [...(reason?.servers?.values() ?? [])].map(
    (server) => server.error === null,
  );
  // Members that answer, or were left out because their set has another name.
  const isLeaderless = reason?.type === 'ReplicaSetNoPrimary' && !areReachable.includes(false);
  return isLeaderless
    ? 'The replica set of MONGODB_URI has no primary: check rs.status(), and that replicaSet= in the URI matches its name.'
    : `MongoDB does not respond at MONGODB_URI: ${message}`;
}

/** The reason why a check can no longer read its snapshot, as a sentence for the operator; null for other errors. */
export function describeLostSnapshot(error: unknown): string | null {
  const code = error instanceof MongoServerError ? error.code : null;
  if (code === 239) {
    return "The check took longer than the database keeps a snapshot. Raise mongod's minSnapshotHistoryWindowInSeconds, or check each account with --account.";
  }
  return code === 246 ? 'The database built an index during the check. Run the check again.' : null;
}

/** The driver's view of the servers when it gives up. */
interface TopologyState {
  type?: string;
  servers?: ReadonlyMap<string, { error: unknown }>;
}

/** Whether a commit's own result did not arrive: it may be written, and the commit may be repeated. */
export function isCommitUnknown(error: unknown): boolean {
  return error instanceof MongoError && error.hasErrorLabel('UnknownTransactionCommitResult');
}

/** Whether the database's user lacks a right. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === 13;
}

/** Whether the database aborted a transaction, for example after a write conflict: it can be retried immediately. */
export const isCollision = (error: unknown): boolean =>
  isDatabaseTrouble(error) && !(error instanceof DatabaseUnavailableError);

/** Whether a unique index refused a write. */
function isDuplicate(error: unknown): error is mongoose.mongo.MongoServerError {
  return error instanceof MongoServerError && error.code === 11000;
}

/** @returns Whether the write was made; false if a unique index refused it. */
export async function ignoreDuplicate(write: PromiseLike<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return false;
  }
}

/**
 * Converts a unique index's refusal to a `DuplicateValueError` that names the index, so that the use case knows the
 * violated rule; returns other errors unchanged. (A bulk write keeps only the server's message.) A lookup is named by
 * its kind, the first word of its id, and a grant's reference by the index of the ledger.
 */
export function asDuplicate(error: unknown): unknown {
  if (!isDuplicate(error)) return error;
  if (/\.references index: _id_ /.test(error.message)) {
    return new DuplicateValueError('accountReference');
  }
  const lookup = /\.accountLookups index: _id_ dup key: \{ _id: "(\w+) /.exec(error.message);
  const [, index = ''] = lookup ?? / index: (\S+) dup key/.exec(error.message) ?? [];
  return new DuplicateValueError(index);
}

const firstPauseMs = 8;
const defaultMaxPauseMs = 60;

/** When to retry a failed attempt. */
export interface RetryRule {
  /** Whether another attempt may succeed after this error. */
  on: (error: unknown) => boolean;
  /** How long to keep trying, in ms; an attempt in progress at the end is awaited. */
  withinMs: number;
  /** Maximum pause between two attempts, in ms. */
  maxPauseMs?: number;
}

/**
 * For reads and writes of a starting process: several primaries may step down meanwhile. The first connection does not
 * use it, so that an operator soon learns that the database is missing.
 */
export const whileStarting: RetryRule = {
  on: isDatabaseTrouble,
  withinMs: 30_000,
  maxPauseMs: 1_000,
};

/**
 * Makes an attempt, and repeats it with jittered back-off after errors that the rule accepts. A caller whose write
 * depends on a read does both in the attempt.
 * @throws The attempt's error: immediately if the rule does not accept it, else when the time is over.
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  { on, withinMs, maxPauseMs = defaultMaxPauseMs }: RetryRule,
): Promise<T> {
  const until = performance.now() + withinMs;
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!on(error) || performance.now() > until) throw error;
      await waitBeforeRetry(failures, maxPauseMs);
    }
  }
}

/**
 * Waits before a failed attempt is repeated: a random part of a limit that doubles with each failure, so that processes
 * that collided do not collide again.
 * @param failures Consecutive failures, at least 1.
 */
export async function waitBeforeRetry(
  failures: number,
  maxPauseMs = defaultMaxPauseMs,
): Promise<void> {
  const spanMs = backoffMs({ firstMs: firstPauseMs, maxMs: maxPauseMs }, failures);
  await pause(Math.max(1, Math.random() * spanMs));
}
