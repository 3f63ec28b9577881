import type { Migration } from './migration.ts';

/** The ends of generations in the feed of the operator API: their index. */
export const events: Migration = {
  version: 13,
  name: 'ends of generations in the feed',
  worksWith: 3,
  run: ({ applySchemas }) => applySchemas(),
};
