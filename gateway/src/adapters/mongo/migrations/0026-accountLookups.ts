import { lookupIdsOf } from '../../../domain/accountLookups.ts';
import { findableFields } from '../accountLookups.ts';
import type { Migration } from './migration.ts';

/** Accounts of one page. */
const pageSize = 500;

/**
 * E-mail addresses, external ids, hashes of keys and identities get a collection of their own. Accounts that the
 * release before changes meanwhile are found by the indexes of `accounts`, and get their lookups then or by upkeep.
 */
export const accountLookups: Migration = {
  version: 26,
  name: 'lookups of accounts',
  worksWith: 15,
  async run({ applySchemas, assertHeld, collections }) {
    await applySchemas();
    for (let after = ''; ;) {
      assertHeld();
      const page = await collections.accounts
        .find(
          { _id: { $gt: after } },
          { sort: { _id: 1 }, hint: '_id_', limit: pageSize, projection: findableFields },
        )
        .toArray();
      const last = page.at(-1);
      if (!last) return;
      await collections.accountLookups.bulkWrite(
        page.flatMap((account) =>
          lookupIdsOf(account).map((_id) => ({
            updateOne: {
              filter: { _id },
              update: { $setOnInsert: { accountId: account._id } },
              upsert: true,
            },
          })),
        ),
        { ordered: false },
      );
      after = last._id;
    }
  },
};
