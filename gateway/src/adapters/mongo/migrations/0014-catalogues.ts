import type { Migration } from './migration.ts';

/** Versions of the catalogue, the group of an account, and with each generation the version that priced it. */
export const catalogues: Migration = {
  version: 14,
  name: 'versions of the catalogue',
  worksWith: 3,
  run: ({ applySchemas }) => applySchemas(),
};
