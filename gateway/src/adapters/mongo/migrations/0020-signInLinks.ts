import type { Migration } from './migration.ts';

/** Links that sign customers in: their collection and its index. */
export const signInLinks: Migration = {
  version: 20,
  name: 'sign-in links',
  worksWith: 3,
  run: ({ applySchemas }) => applySchemas(),
};
