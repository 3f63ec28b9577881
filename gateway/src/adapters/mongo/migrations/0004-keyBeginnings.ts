import { changeIndexes } from './changeIndexes.ts';
import type { Migration } from './migration.ts';

/** The index by which staff find a key by its beginning. Keys made before have only the one that all have. */
export const keyBeginnings: Migration = {
  version: 4,
  name: 'index of the beginnings of keys',
  worksWith: 3,
  run: (context) =>
    changeIndexes(context, {
      build: { accounts: [{ name: 'keyPrefix', key: { 'keys.prefix': 1 } }] },
    }),
};
