import { allLookupIdsOf } from '../../domain/accountLookups.ts';
import type { Repaired, RepairLookups } from '../../application/ports/upkeep.ts';
import { findableFields, heldLookups, restoreLookups } from './accountLookups.ts';
import type { Collections } from './collections.ts';
import type { RunTransaction } from './transactions.ts';

/** Accounts, and then lookups, that one round compares. */
const pageSize = 200;
/** Pause after all of them were compared, in ms: only the release before leaves something to repair. */
const restMs = 3_600_000;
/** How long one query may take, in ms. */
const maxTimeMS = 5_000;

const nothing: Repaired = { restored: 0, removed: 0 };

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

  /** A page of accounts with their lookups that are missing or name another account. */
  async function findMissing(): Promise<{ accountId: string; ids: string[] }[]> {
    const found = await accounts
      .find({ _id: { $gt: after } }, { ...page, projection: findableFields })
      .toArray();
    const wanted = found.map((account) => ({
      accountId: account._id,
      ids: allLookupIdsOf(account._id, account),
    }));
    const stored = await accountLookups
      .find({ _id: { $in: wanted.flatMap(({ ids }) => ids) } }, { maxTimeMS })
      .toArray();
    const accountIdOf = new Map(stored.map(({ _id, accountId }) => [_id, accountId]));
    return wanted.map(({ accountId, ids }) => ({
      accountId,
      ids: ids.filter((id) => accountIdOf.get(id) !== accountId),
    }));
  }

  async function restore(signal: AbortSignal): Promise<Repaired> {
    const compared = await findMissing();
    const failures: unknown[] = [];
    let restored = 0;
    for (const { accountId, ids } of compared) {
      if (signal.aborted) break;
      try {
        if (ids.length > 0) {
          await restoreLookups(collections, runTransaction, { accountId, ids });
          restored += ids.length;
        }
      } catch (error) {
        failures.push(error);
      }
      after = accountId;
    }
    if (compared.length === 0) [part, after] = ['lookups', ''];
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} accounts`);
    return { restored, removed: 0 };
  }

  async function removeStale(): Promise<Repaired> {
    const found = await accountLookups.find({ _id: { $gt: after } }, page).toArray();
    const last = found.at(-1);
    if (!last) {
      [part, after] = ['accounts', ''];
      restsUntil = performance.now() + restMs;
      return nothing;
    }
    after = last._id;
    const held = await heldLookups(accounts, found, { maxTimeMS });
    const suspects = found.filter(({ _id }) => !held.has(_id));
    if (suspects.length === 0) return nothing;
    let removed = 0;
    await runTransaction(async (options) => {
      // An account that regains its value rewrites its lookup, which aborts this transaction.
      const heldNow = await heldLookups(accounts, suspects, options);
      const stale = suspects.filter(({ _id }) => !heldNow.has(_id));
      if (stale.length === 0) return;
      const deletions = stale.map(({ _id, accountId }) => ({
        deleteOne: { filter: { _id, accountId } },
      }));
      removed = (await accountLookups.bulkWrite(deletions, options)).deletedCount;
    });
    return { restored: 0, removed };
  }

  return async (signal) => {
    if (performance.now() < restsUntil) return nothing;
    return part === 'accounts' ? restore(signal) : removeStale();
  };
}
