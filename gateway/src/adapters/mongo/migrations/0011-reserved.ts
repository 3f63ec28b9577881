import type { Migration } from './migration.ts';

/** A number without a step. */
export const reserved: Migration = {
  version: 11,
  name: 'reserved',
  worksWith: 3,
  run: async () => undefined,
};
