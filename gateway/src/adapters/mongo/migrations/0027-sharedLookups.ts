import { fillLookups } from './fillLookups.ts';
import type { Migration } from './migration.ts';

/**
 * Ids, ends and beginnings of keys, requested hosts, invited addresses and roles of staff get lookups, so that accounts
 * need no index for them (docs/adr/0042).
 */
export const sharedLookups: Migration = {
  version: 27,
  name: 'lookups for searches of accounts',
  worksWith: 15,
  async run(context) {
    await context.applySchemas();
    await fillLookups(context);
  },
};
