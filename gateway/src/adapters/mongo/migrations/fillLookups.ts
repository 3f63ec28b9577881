import { allLookupIdsOf } from '../../../domain/accountLookups.ts';
import { findableFields } from '../accountLookups.ts';
import type { MigrationContext } from './migration.ts';

/** Accounts of one page. */
const pageSize = 500;

/** Writes the lookups that accounts lack, in pages. */
export async function fillLookups({ assertHeld, collections }: MigrationContext): Promise<void> {
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
        allLookupIdsOf(account._id, account).map((_id) => ({
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
}
