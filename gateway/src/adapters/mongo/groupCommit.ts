import pLimit from 'p-limit';
import { giveUpAfter, setWithin, shareCalls, type SharingLimits } from '@framegate/limits';
import type { AccountUnit } from './accounts/accountUnit.ts';
import { isWritten, writeUnits } from './accounts/writeUnits.ts';
import type { Collections } from './collections.ts';
import {
  CommitUnknownError,
  type RunTransaction,
  TransactionTimeoutError,
} from './transactions.ts';

/** Accounts, and decisions about them, per shared transaction; few large transactions are cheaper. */
const sharing: SharingLimits<AccountUnit> = {
  maxItems: 32,
  maxCalls: 2,
  minForAnother: 16,
  slowMs: 50,
  weightOf: ({ decisions }) => decisions,
  maxWeight: 64,
};
/** Maximum concurrent transactions of single units, in addition to the shared ones. */
const maxAlone = 8;
/** How long an account stays out of shared transactions after a failure, in ms. */
const apartMs = 10_000;
const maxApart = 10_000;
/** Time limit for finding out whether a unit was written, in ms. */
const checkMs = 2_000;

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
  const alone = pLimit(maxAlone);
  const apartUntil = new Map<string, number>();

  const write = (units: readonly AccountUnit[]) =>
    runTransaction((options) => writeUnits(collections, units, options));

  /**
   * Keeps the account of a failed unit out of shared transactions.
   * @throws The failure, unless its result was unknown and the unit was written.
   */
  async function settleFailure(unit: AccountUnit, error: unknown): Promise<void> {
    setWithin(apartUntil, unit.before.id, performance.now() + apartMs, maxApart);
    if (!(error instanceof CommitUnknownError)) throw error;
    const writing = isWritten(collections, unit);
    const hasWritten = await giveUpAfter(checkMs, writing, () => error).catch((cause: unknown) => {
      throw new CommitUnknownError(true, cause);
    });
    if (!hasWritten) throw error;
  }

  const commitAlone = (unit: AccountUnit) =>
    alone(() => write([unit])).catch((error: unknown) => settleFailure(unit, error));

  /** Commits the units of several accounts. @returns The remaining step for each unit; null if it is written. */
  const commitShared = shareCalls(sharing, async (units: readonly AccountUnit[]) => {
    try {
      await write(units);
      return units.map(() => null);
    } catch (error) {
      // A unit that may be written is never repeated, and a silent server is not queried twice.
      const isOver =
        error instanceof CommitUnknownError ||
        error instanceof TransactionTimeoutError ||
        units.length === 1;
      return units.map((unit) => () => (isOver ? settleFailure(unit, error) : commitAlone(unit)));
    }
  });

  function isApart({ before }: AccountUnit): boolean {
    const until = apartUntil.get(before.id);
    if (until === undefined || until > performance.now()) return until !== undefined;
    apartUntil.delete(before.id);
    return false;
  }

  return async (unit) => {
    if (isApart(unit)) await commitAlone(unit);
    else await (await commitShared(unit))?.();
  };
}
