import { changeIndexes } from './changeIndexes.ts';
import type { Migration } from './migration.ts';

/**
 * Drops the indexes for which no statement has asked since "index of locked jobs", and builds those that answer for
 * several others: the next release drops those (docs/adr/0025).
 */
export const fewerIndexes: Migration = {
  version: 24,
  name: 'fewer indexes',
  worksWith: 15,
  async run(context) {
    await context.applySchemas();
    await changeIndexes(context, {
      drop: { generations: ['due', 'openIds', 'requestId'], jobs: ['lapsedLocks'] },
    });
  },
};
