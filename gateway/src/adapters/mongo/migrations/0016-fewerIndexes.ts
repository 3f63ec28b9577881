import { lockedJobs } from './0015-lockedJobs.ts';
import { changeIndexes } from './changeIndexes.ts';
import type { Migration } from './migration.ts';

/**
 * Drops the indexes that no statement has asked for since the migration before (docs/adr/0025), and makes the validators
 * check less (models/validators.ts).
 */
export const fewerIndexes: Migration = {
  version: 16,
  name: 'fewer indexes',
  worksWith: lockedJobs.version,
  async run(context) {
    await context.applySchemas();
    await changeIndexes(context, {
      drop: { generations: ['due', 'openIds', 'requestId'], jobs: ['lapsedLocks'] },
    });
  },
};
