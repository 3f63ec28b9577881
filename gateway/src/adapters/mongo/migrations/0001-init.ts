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
        // Agenda's own, by its name and key; Agenda would make it at every startup and not wait for a primary.
        name: 'findAndLockNextJobIndex',
        key: { name: 1, nextRunAt: 1, priority: -1, lockedAt: 1, disabled: 1 },
      },
      {
        // Agenda's own index makes each search for expired locks scan every job of a name; this one has only jobs
        // that have been locked.
        name: 'locked',
        key: { name: 1, lockedAt: 1 },
        partialFilterExpression: { lockedAt: { $exists: true } },
      },
    ]);
  },
};
