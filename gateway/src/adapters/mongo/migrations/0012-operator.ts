import type { Migration } from './migration.ts';

/**
 * The operator API's keys, answers, the external ids of accounts and the index of the feed of the
 * ledger. Entries get their positions when the feed is first read.
 */
export const operator: Migration = {
  version: 12,
  name: 'operator API',
  worksWith: 3,
  run: ({ applySchemas }) => applySchemas(),
};
