import { setWithin } from '@framegate/limits';
import type { AccountStore } from '../../../application/ports/database.ts';
import { lookupId } from '../../../domain/accounts/accountLookups.ts';
import type { Collections } from '../collections.ts';
import { createMergedFind } from '../mergedReads.ts';
import { accountCodec } from '../models/accounts.ts';

/** Maximum number of hashes whose accounts a process remembers. */
const maxKnown = 20_000;

const projection = { limits: 1, group: 1, members: 1, teamNeedsFactor: 1, keys: 1 } as const;

/** A projection with only the keys of these hashes: an account may have many large keys. */
const withKeys = (hashes: readonly string[]) => ({
  limits: 1,
  group: 1,
  members: 1,
  teamNeedsFactor: 1,
  keys: { $filter: { input: '$keys', cond: { $in: ['$$this.hash', hashes] } } },
});

/** A key in its account, as one value of a shared query. */
const keyIn = (accountId: string, hash: string) => `${accountId} ${hash}`;
const accountIdOf = (value: string) => value.slice(0, value.indexOf(' '));
const hashOf = (value: string) => value.slice(value.indexOf(' ') + 1);

/**
 * Makes `findByKeyHash`: the lookup of the hash names the account, which is then read by id and decides. A key never
 * moves to another account, so lookups are cached; accounts are not.
 */
export function createKeyHolders({
  accounts,
  accountLookups,
}: Pick<Collections, 'accounts' | 'accountLookups'>): AccountStore['findByKeyHash'] {
  const accountIds = new Map<string, string>();
  const findLookup = createMergedFind(accountLookups, {
    field: '_id',
    valuesOf: ({ _id }) => [_id],
    projection: undefined,
  });
  const findIn = createMergedFind(accounts, {
    field: '_id',
    storedAs: accountIdOf,
    valuesOf: ({ _id, keys }) => keys.map(({ hash }) => keyIn(_id, hash)),
    projection,
    narrow: (values) => withKeys(values.map(hashOf)),
  });

  async function findKnown(hash: string) {
    const accountId = accountIds.get(hash);
    const holder = accountId === undefined ? null : await findIn(keyIn(accountId, hash));
    if (!holder) accountIds.delete(hash);
    return holder;
  }

  async function findByLookup(hash: string) {
    const lookup = await findLookup(lookupId('keyHash', hash));
    const holder = lookup && (await findIn(keyIn(lookup.accountId, hash)));
    if (holder) setWithin(accountIds, hash, holder._id, maxKnown);
    return holder;
  }

  return async (hashes) => {
    for (const find of [findKnown, findByLookup]) {
      const holder = (await Promise.all(hashes.map(find))).find((each) => each !== null);
      if (holder) return accountCodec.fromPart(holder);
    }
    return null;
  };
}
