import { lookupIdsOf, type LookupChange } from '../../domain/accountLookups.ts';
import type { Collections } from './collections.ts';
import type { InTransaction, RunTransaction } from './transactions.ts';

type Needed = Pick<Collections, 'accounts' | 'accountLookups'>;

/** The fields by which an account is found. */
export const findableFields = {
  email: 1,
  externalId: 1,
  'keys.hash': 1,
  identities: 1,
} as const;

/**
 * Writes the lookups of changed accounts in the transaction of the change, after the accounts. A lookup whose account
 * no longer has the value is taken over: releases before 26 change accounts without their lookups.
 * @throws The driver's error for a value that another account has.
 */
export async function writeLookups(
  { accounts, accountLookups }: Needed,
  changes: readonly (LookupChange & { accountId: string })[],
  options: InTransaction,
): Promise<void> {
  const gone = changes.flatMap(({ accountId, gone: ids }) =>
    ids.map((_id) => ({ deleteOne: { filter: { _id, accountId } } })),
  );
  if (gone.length > 0) await accountLookups.bulkWrite(gone, options);

  const added = changes.flatMap(({ accountId, added: ids }) =>
    ids.map((_id) => ({ _id, accountId })),
  );
  if (added.length === 0) return;
  const ids = added.map(({ _id }) => _id);
  const stored = await accountLookups.find({ _id: { $in: ids } }, options).toArray();
  if (stored.length > 0) {
    const wanted = new Map(added.map(({ _id, accountId }) => [_id, accountId]));
    const held = await heldLookups(accounts, stored, options);
    // An account's own are written anew as well: so this meets a repair that removes them meanwhile.
    const replaced = stored.filter(
      ({ _id, accountId }) => !held.has(_id) || accountId === wanted.get(_id),
    );
    if (replaced.length > 0) {
      const deletions = replaced.map((filter) => ({ deleteOne: { filter } }));
      await accountLookups.bulkWrite(deletions, options);
    }
  }
  await accountLookups.insertMany(added, options);
}

/** Writes those of these lookups whose value the account has, without a change of the account. */
export async function restoreLookups(
  collections: Needed,
  runTransaction: RunTransaction,
  { accountId, ids }: { accountId: string; ids: readonly string[] },
): Promise<void> {
  await runTransaction(async (options) => {
    const account = await collections.accounts.findOne(
      { _id: accountId },
      { ...options, projection: findableFields },
    );
    const held = new Set(account ? lookupIdsOf(account) : []);
    const added = ids.filter((id) => held.has(id));
    await writeLookups(collections, [{ accountId, gone: [], added }], options);
  });
}

/** Restored lookups that are being written at most; others wait for upkeep. */
const maxHealing = 8;

/** Reads by lookups. */
export interface AccountLookups {
  /**
   * Finds an account by its lookup, or by the value alone where the release before has written none.
   * @param read Reads the account that has the value; by its id where that is given.
   */
  find<T extends { _id: string }>(
    id: string,
    read: (by: { _id?: string }) => Promise<T | null>,
  ): Promise<T | null>;
  /** Writes a lookup that is missing, or whose account no longer has the value, in the background. */
  heal(accountId: string, id: string): void;
}

/** Makes the reads of one connection. @param mayWrite Whether missing lookups are written. */
export function createAccountLookups(
  collections: Needed,
  runTransaction: RunTransaction,
  mayWrite: boolean,
): AccountLookups {
  let healing = 0;
  function heal(accountId: string, id: string): void {
    if (!mayWrite || healing >= maxHealing) return;
    healing += 1;
    // The read has its answer; upkeep tries again.
    void restoreLookups(collections, runTransaction, { accountId, ids: [id] })
      .catch(() => undefined)
      .finally(() => {
        healing -= 1;
      });
  }
  return {
    async find(id, read) {
      const lookup = await collections.accountLookups.findOne({ _id: id });
      const found = lookup && (await read({ _id: lookup.accountId }));
      if (found) return found;
      const other = await read({});
      if (other) heal(other._id, id);
      return other;
    },
    heal,
  };
}

/** The ids of those lookups whose account has the value. */
export async function heldLookups(
  accounts: Needed['accounts'],
  lookups: readonly { _id: string; accountId: string }[],
  options: InTransaction | { maxTimeMS: number },
): Promise<Set<string>> {
  const accountIds = [...new Set(lookups.map(({ accountId }) => accountId))];
  const found = await accounts
    .find({ _id: { $in: accountIds } }, { ...options, projection: findableFields })
    .toArray();
  const idsOf = new Map(found.map((account) => [account._id, new Set(lookupIdsOf(account))]));
  const held = lookups.filter(({ _id, accountId }) => idsOf.get(accountId)?.has(_id));
  return new Set(held.map(({ _id }) => _id));
}
