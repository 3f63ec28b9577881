import type { Migration } from './migration.ts';

/**
 * From here on the schemas say what a migration makes: the validators by which the database checks documents, and
 * all indexes. A release that changes a schema adds such a step before its processes write the change.
 */
export const schemas: Migration = {
  version: 10,
  name: 'validators and indexes of the schemas',
  worksWith: 3,
  run: ({ applySchemas }) => applySchemas(),
};
