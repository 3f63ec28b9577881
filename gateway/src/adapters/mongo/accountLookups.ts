import { lookupIdsOf, type LookupChange } from '../../domain/accountLookups.ts';
import type { Collections } from './collections.ts';
import type { InTransaction } from './transactions.ts';

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

/** The ids of those lookups whose account has the value. */
async function heldLookups(
  accounts: Needed['accounts'],
  lookups: readonly { _id: string; accountId: string }[],
  options: InTransaction | object,
): Promise<Set<string>> {
  const accountIds = [...new Set(lookups.map(({ accountId }) => accountId))];
  const found = await accounts
    .find({ _id: { $in: accountIds } }, { ...options, projection: findableFields })
    .toArray();
  const idsOf = new Map(found.map((account) => [account._id, new Set(lookupIdsOf(account))]));
  const held = lookups.filter(({ _id, accountId }) => idsOf.get(accountId)?.has(_id));
  return new Set(held.map(({ _id }) => _id));
}
