import pLimit from 'p-limit';
import { giveUpAfter, setWithin } from '@framegate/limits';
import type { AccountUnit } from './accounts/accountUnit.ts';
import { isWritten, writeUnits } from './accounts/writeUnits.ts';
import type { Collections } from './collections.ts';
import {
  CommitUnknownError,
  type RunTransaction,
  TransactionTimeoutError,
} from './transactions.ts';

/** Maximum accounts, and decisions about them, per transaction. */
const maxUnits = 32;
const maxDecisions = 64;
/** Maximum concurrent shared transactions. */
const maxShared = 2;
/** Few large transactions are cheaper: another starts only for this many units, or if the current one is slow. */
const minUnitsForAnother = 16;
const slowMs = 50;
/** Maximum concurrent transactions of single units, in addition to the shared ones. */
const maxAlone = 8;
/** How long an account stays out of shared transactions after a failure, in ms. */
const apartMs = 10_000;
const maxApart = 10_000;
/** Time limit for finding out whether a unit was written, in ms. */
const checkMs = 2_000;

interface PendingUnit {
  unit: AccountUnit;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Commits units of work atomically, with one attempt each. Units of different accounts that arrive during a transaction
 * share the next one, so that a create request costs a fraction of five statements instead of five. A failed shared
 * transaction is not retried: each of its units continues alone, in its own slot, so that one account's trouble (such
 * as a lock left by a killed process) costs the others one attempt. An account whose transaction failed stays out of
 * shared transactions for a while.
 */
export function createGroupCommit(
  collections: Collections,
  runTransaction: RunTransaction,
): (unit: AccountUnit) => Promise<void> {
  let waiting: PendingUnit[] = [];
  let underWay = 0;
  /** The timers of running transactions that have exceeded `slowMs`. */
  const slow = new Set<NodeJS.Timeout>();
  const alone = pLimit(maxAlone);
  const apartUntil = new Map<string, number>();

  const write = (units: readonly AccountUnit[]) =>
    runTransaction((options) => writeUnits(collections, units, options));

  /** After a commit with an unknown result: resolves if it was written, else rejects. */
  async function resolveUnknown(pending: PendingUnit, error: CommitUnknownError): Promise<void> {
    try {
      const writtenCheck = isWritten(collections, pending.unit);
      if (await giveUpAfter(checkMs, writtenCheck, () => error)) pending.resolve();
      else pending.reject(error);
    } catch (cause) {
      pending.reject(new CommitUnknownError(true, cause));
    }
  }

  /** Reports the failed attempt to a unit, and keeps its account out of shared transactions. */
  function fail(pending: PendingUnit, error: unknown): void {
    setWithin(apartUntil, pending.unit.before.id, performance.now() + apartMs, maxApart);
    if (error instanceof CommitUnknownError) void resolveUnknown(pending, error);
    else pending.reject(error);
  }

  let isBeginning = false;
  const mayBegin = () =>
    waiting.length >= (underWay > slow.size ? minUnitsForAnother : 1) && underWay < maxShared;

  /** Begins after this turn of the event loop, so that its other units join. */
  function begin(): void {
    if (isBeginning) return;
    isBeginning = true;
    setImmediate(() => {
      isBeginning = false;
      if (mayBegin()) void commitShared();
    });
  }

  async function commitShared(): Promise<void> {
    const batch = takeBatch();
    underWay += 1;
    const timer = setTimeout(() => {
      slow.add(timer);
      begin();
    }, slowMs);
    try {
      await write(batch.map(({ unit }) => unit));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      // A unit that may be written is never repeated, and a silent server is not asked twice.
      const isOver =
        error instanceof CommitUnknownError || error instanceof TransactionTimeoutError;
      for (const each of batch) {
        if (isOver || batch.length === 1) fail(each, error);
        else void commitAlone(each);
      }
    } finally {
      clearTimeout(timer);
      slow.delete(timer);
      underWay -= 1;
      begin();
    }
  }

  async function commitAlone(pending: PendingUnit): Promise<void> {
    try {
      await alone(() => write([pending.unit]));
      pending.resolve();
    } catch (error) {
      fail(pending, error);
    }
  }

  function isApart({ before }: AccountUnit): boolean {
    const until = apartUntil.get(before.id);
    if (until === undefined || until > performance.now()) return until !== undefined;
    apartUntil.delete(before.id);
    return false;
  }

  function takeBatch(): PendingUnit[] {
    let decisions = 0;
    const end = waiting.findIndex(({ unit }, index) => {
      decisions += unit.decisions;
      return index > 0 && (index >= maxUnits || decisions > maxDecisions);
    });
    const batch = waiting.slice(0, end === -1 ? waiting.length : end);
    waiting = waiting.slice(batch.length);
    return batch;
  }

  return (unit) =>
    new Promise((resolve, reject) => {
      const pending = { unit, resolve, reject };
      if (isApart(unit)) {
        void commitAlone(pending);
        return;
      }
      waiting.push(pending);
      begin();
    });
}
