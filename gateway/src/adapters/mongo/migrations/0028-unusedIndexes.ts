import { isIndexMissing } from '../errors.ts';
import { accountIndexes } from './0025-accountIndexes.ts';
import { changeIndexes } from './changeIndexes.ts';
import { fillLookups } from './fillLookups.ts';
import type { Migration } from './migration.ts';

/**
 * Drops the indexes that only earlier releases name. Before that it notes the lookups and references that those have not
 * noted while they ran beside this one.
 */
export const unusedIndexes: Migration = {
  version: 28,
  name: 'unused indexes',
  worksWith: 27,
  async run(context) {
    await fillLookups(context);
    try {
      await accountIndexes.run(context);
    } catch (error) {
      // A run that was cut off has dropped the index of references, after it noted them.
      if (!isIndexMissing(error)) throw error;
    }
    await changeIndexes(context, {
      drop: {
        accounts: [
          'email',
          'externalId',
          'keyHash',
          'keyId',
          'identity',
          'invitedAddress',
          'lotExpiry',
          'staff',
          'keyLastFour',
          'keyPrefix',
          'requestedHosts',
        ],
        generations: [
          'idempotencyScope',
          'waits',
          'parkedFor',
          'parkedJudged',
          'routePlace',
          'ends',
          'refunds',
          'durations',
          'consent',
          'upstreamId',
        ],
        ledger: ['generationKind', 'reference'],
      },
    });
  },
};
