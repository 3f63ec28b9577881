import { allLookupIdsOf, type LookupChange, type LookupKind } from '../../domain/accountLookups.ts';
import type { Collections } from './collections.ts';
import { isIndexMissing } from './errors.ts';
import type { InTransaction, RunTransaction } from './transactions.ts';

type Needed = Pick<Collections, 'accounts' | 'accountLookups'>;

/** The fields from which the lookups of an account are made. */
export const findableFields = {
  email: 1,
  externalId: 1,
  'keys.hash': 1,
  'keys.id': 1,
  'keys.lastFour': 1,
  'keys.prefix': 1,
  'keys.hosts': 1,
  identities: 1,
  'invitations.email': 1,
  staffRole: 1,
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
    // The account's own are rewritten, so that this write collides with a repair that is removing them.
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

/** Writes the lookups whose values the account has, without changing the account. */
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
    const held = new Set(account ? allLookupIdsOf(accountId, account) : []);
    const added = ids.filter((id) => held.has(id));
    await writeLookups(collections, [{ accountId, gone: [], added }], options);
  });
}

/** Restored lookups that are being written at most; others wait for upkeep. */
const maxHealing = 8;
/** Lookups that a search examines at most. */
const maxExamined = 1_000;
const maxTimeMS = 5_000;

/** Reads by lookups. */
export interface AccountLookups {
  /**
   * Finds an account by its lookup, or by a former index if the release before has written none.
   * @param read Reads the account that has the value, by its id if that is given.
   */
  find<T extends { _id: string }>(
    id: string,
    read: (by: { _id?: string }, hint: string) => Promise<T | null>,
  ): Promise<T | null>;
  /**
   * Finds the accounts that have a value of this kind with this beginning, by a former index while there is one.
   * @param read Reads the accounts that have the value, among these ids if they are given.
   */
  search<T>(
    kind: LookupKind,
    beginning: string,
    read: (by: { _id?: { $in: string[] } }, hint: string) => PromiseLike<T[]>,
  ): Promise<T[]>;
  /**
   * Reads accounts by an index that only the release before needs. That release changes accounts without all of their
   * lookups, so the index answers until a migration drops it.
   * @returns null once it is dropped.
   */
  byFormerIndex<T>(read: () => PromiseLike<T>): Promise<T | null>;
  /** Writes a missing or outdated lookup in the background. */
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

  let areDropped = false;
  async function byFormerIndex<T>(read: () => PromiseLike<T>): Promise<T | null> {
    if (areDropped) return null;
    try {
      return await read();
    } catch (error) {
      if (!isIndexMissing(error)) throw error;
      areDropped = true;
      return null;
    }
  }

  async function accountIdsOf(kind: LookupKind, beginning: string): Promise<string[]> {
    const start = `${kind} ${beginning}`;
    const found = await collections.accountLookups
      .find(
        { _id: rangeFrom(start) },
        { sort: { _id: 1 }, hint: '_id_', limit: maxExamined, maxTimeMS },
      )
      .toArray();
    return [...new Set(found.map(({ accountId }) => accountId))];
  }

  return {
    async find(id, read) {
      const lookup = await collections.accountLookups.findOne({ _id: id });
      const found = lookup && (await read({ _id: lookup.accountId }, '_id_'));
      if (found) return found;
      const other = await byFormerIndex(() => read({}, kindOf(id)));
      if (other) heal(other._id, id);
      return other;
    },
    async search(kind, beginning, read) {
      const former = await byFormerIndex(() => read({}, kind));
      return former ?? read({ _id: { $in: await accountIdsOf(kind, beginning) } }, '_id_');
    },
    byFormerIndex,
    heal,
  };
}

/** The kind of a lookup, which is also the name of the former index on accounts. */
const kindOf = (id: string): string => id.slice(0, id.indexOf(' '));

/** Ids and values of lookups are ASCII: everything with this beginning sorts before the end of the range. */
export const rangeFrom = (start: string) => ({ $gte: start, $lt: `${start}\u007f` });

/** The ids of the lookups whose account has the value. */
export async function heldLookups(
  accounts: Needed['accounts'],
  lookups: readonly { _id: string; accountId: string }[],
  options: InTransaction | { maxTimeMS: number },
): Promise<Set<string>> {
  const accountIds = [...new Set(lookups.map(({ accountId }) => accountId))];
  const found = await accounts
    .find({ _id: { $in: accountIds } }, { ...options, projection: findableFields })
    .toArray();
  const idsOf = new Map(
    found.map((account) => [account._id, new Set(allLookupIdsOf(account._id, account))]),
  );
  const held = lookups.filter(({ _id, accountId }) => idsOf.get(accountId)?.has(_id));
  return new Set(held.map(({ _id }) => _id));
}
