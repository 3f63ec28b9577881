import type { Migration } from './migration.ts';

/** The database of version 0.1.0: all collections with their validators and indexes. */
export const init: Migration = {
  version: 1,
  name: 'init',
  worksWith: 0,
  async run({ applySchemas, collections }) {
    await applySchemas();
    await collections.jobs.createIndexes([
      {
        // Agenda's own index, with its name and keys. Agenda would create it at each start, without waiting for a
        // primary.
        name: 'findAndLockNextJobIndex',
        key: { name: 1, nextRunAt: 1, priority: -1, lockedAt: 1, disabled: 1 },
      },
      {
        // With Agenda's own index, each search for lapsed locks scans every job of a name; this one only has locked
        // jobs.
        name: 'locked',
        key: { name: 1, lockedAt: 1 },
        partialFilterExpression: { lockedAt: { $exists: true } },
      },
    ]);
  },
};
