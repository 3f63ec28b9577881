import { pagesOf } from '../collections.ts';
import { changeIndexes } from './changeIndexes.ts';
import type { Migration } from './migration.ts';

/** Lots that still hold credits. */
const held = { $filter: { input: '$lots', cond: { $gt: ['$$this.remaining', 0] } } };

/** Upkeep finds expired credits by the first expiry of an account, not by all lots that it ever had. */
export const nextExpiry: Migration = {
  version: 7,
  name: 'next expiry of credits',
  worksWith: 3,
  async run(context) {
    const index = {
      name: 'nextExpiry',
      key: { nextExpiryAt: 1 },
      partialFilterExpression: { nextExpiryAt: { $gt: new Date(0) } },
    } as const;
    await changeIndexes(context, { build: { accounts: [index] } });
    const { accounts } = context.collections;
    const expiring = accounts.find(
      { 'lots.expiresAt': { $gt: new Date(0) }, nextExpiryAt: { $exists: false } },
      { hint: 'lotExpiry', projection: { _id: 1 } },
    );
    for await (const ids of pagesOf(expiring)) {
      context.assertHeld();
      await accounts.updateMany({ _id: { $in: ids } }, [
        { $set: { nextExpiryAt: { $min: { $map: { input: held, in: '$$this.expiresAt' } } } } },
      ]);
    }
  },
};
