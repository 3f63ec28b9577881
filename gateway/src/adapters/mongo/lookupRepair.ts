import { lookupIdsOf } from '../../domain/accountLookups.ts';
import type { RepairLookups } from '../../application/ports/upkeep.ts';
import { findableFields, heldLookups, restoreLookups } from './accountLookups.ts';
import type { Collections } from './collections.ts';
import type { RunTransaction } from './transactions.ts';

/** Accounts, and then lookups, that one round compares. */
const pageSize = 200;
/** Pause after all of them were compared, in ms: only the release before leaves something to repair. */
const restMs = 3_600_000;
/** How long one query may take, in ms. */
const maxTimeMS = 5_000;

/**
 * Makes the repair of lookups: first of those that accounts lack, then of those whose account no longer has the value.
 * A process remembers where its last round stopped.
 */
export function createLookupRepair(
  collections: Pick<Collections, 'accounts' | 'accountLookups'>,
  runTransaction: RunTransaction,
): RepairLookups {
  const { accounts, accountLookups } = collections;
  const page = { sort: { _id: 1 }, hint: '_id_', limit: pageSize, maxTimeMS } as const;
  let part: 'accounts' | 'lookups' = 'accounts';
  let after = '';
  let restsUntil = -Infinity;

  /** The account of each lookup of these that is missing or names another account. */
  async function findMissing(): Promise<Map<string, string[]>> {
    const found = await accounts
      .find({ _id: { $gt: after } }, { ...page, projection: findableFields })
      .toArray();
    const wanted = found.flatMap((account) =>
      lookupIdsOf(account).map((id) => ({ id, accountId: account._id })),
    );
    const stored = await accountLookups
      .find({ _id: { $in: wanted.map(({ id }) => id) } }, { maxTimeMS })
      .toArray();
    const accountIdOf = new Map(stored.map(({ _id, accountId }) => [_id, accountId]));
    const missing = wanted.filter(({ id, accountId }) => accountIdOf.get(id) !== accountId);
    after = found.at(-1)?._id ?? '';
    return new Map(
      Object.entries(Object.groupBy(missing, ({ accountId }) => accountId)).map(
        ([accountId, lookups = []]) => [accountId, lookups.map(({ id }) => id)],
      ),
    );
  }

  async function restore(): Promise<number> {
    const missing = await findMissing();
    const failures: unknown[] = [];
    let restored = 0;
    for (const [accountId, ids] of missing) {
      try {
        await restoreLookups(collections, runTransaction, { accountId, ids });
        restored += ids.length;
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} accounts`);
    return restored;
  }

  async function removeStale(): Promise<number> {
    const found = await accountLookups.find({ _id: { $gt: after } }, page).toArray();
    after = found.at(-1)?._id ?? '';
    const held = await heldLookups(accounts, found, { maxTimeMS });
    const suspects = found.filter(({ _id }) => !held.has(_id));
    if (suspects.length === 0) return 0;
    let removed = 0;
    await runTransaction(async (options) => {
      // An account that gets its value back meanwhile writes its lookup anew, which ends this transaction.
      const heldNow = await heldLookups(accounts, suspects, options);
      const stale = suspects.filter(({ _id }) => !heldNow.has(_id));
      if (stale.length === 0) return;
      const deletions = stale.map(({ _id, accountId }) => ({
        deleteOne: { filter: { _id, accountId } },
      }));
      removed = (await accountLookups.bulkWrite(deletions, options)).deletedCount;
    });
    return removed;
  }

  return async () => {
    if (performance.now() < restsUntil) return { restored: 0, removed: 0 };
    const isFirst = part === 'accounts';
    try {
      return isFirst
        ? { restored: await restore(), removed: 0 }
        : { restored: 0, removed: await removeStale() };
    } finally {
      if (after === '') {
        part = isFirst ? 'lookups' : 'accounts';
        if (!isFirst) restsUntil = performance.now() + restMs;
      }
    }
  };
}
