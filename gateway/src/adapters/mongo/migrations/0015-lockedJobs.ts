import { changeIndexes } from './changeIndexes.ts';
import type { Migration } from './migration.ts';

/**
 * Locked jobs have an index that jobs enter with their first lock. From here on no statement names the indexes
 * `due`, `openIds` and `requestId` of generations and `lapsedLocks` of jobs (docs/adr/0025).
 */
export const lockedJobs: Migration = {
  version: 15,
  name: 'index of locked jobs',
  worksWith: 3,
  run: (context) =>
    changeIndexes(context, {
      build: {
        jobs: [
          {
            name: 'locked',
            key: { name: 1, lockedAt: 1 },
            partialFilterExpression: { lockedAt: { $exists: true } },
          },
        ],
      },
    }),
};
