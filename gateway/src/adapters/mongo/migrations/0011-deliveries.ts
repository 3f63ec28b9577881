import type { Migration } from './migration.ts';

/** The collection of how routes delivered, and the differences and the new reason of a loss in attempts. */
export const deliveries: Migration = {
  version: 11,
  name: 'deliveries compared with their orders',
  worksWith: 3,
  run: ({ applySchemas }) => applySchemas(),
};
