import type { Migration } from './migration.ts';

/** References of one page. */
const pageSize = 500;

/**
 * Unique indexes that begin with the account, as a collection in several shards needs them, and the references of grants
 * and adjustments in a collection of their own. The release before keeps its indexes, which the next release drops once
 * it has run these pages again: that release notes no references.
 */
export const accountIndexes: Migration = {
  version: 25,
  name: 'unique indexes by account',
  worksWith: 15,
  async run({ applySchemas, assertHeld, collections: { ledger, references } }) {
    await applySchemas();
    for (let after = ''; ;) {
      assertHeld();
      const page = await ledger
        .find(
          { reference: { $exists: true, $gt: after } },
          {
            sort: { reference: 1 },
            hint: 'reference',
            limit: pageSize,
            projection: { reference: 1, accountId: 1 },
          },
        )
        .toArray();
      const named = page.flatMap(({ reference, accountId }) =>
        reference === undefined ? [] : [{ reference, accountId }],
      );
      const last = named.at(-1);
      if (!last) return;
      await references.bulkWrite(
        named.map(({ reference, accountId }) => ({
          updateOne: {
            filter: { _id: reference },
            update: { $setOnInsert: { accountId } },
            upsert: true,
          },
        })),
        { ordered: false },
      );
      after = last.reference;
    }
  },
};
