import type { Migration } from './migration.ts';

/** Events of the operator API that are stored by themselves, and plans of accounts: their collection and indexes. */
export const operatorEvents: Migration = {
  version: 18,
  name: 'stored events of the operator API, and plans',
  worksWith: 3,
  run: ({ applySchemas }) => applySchemas(),
};
