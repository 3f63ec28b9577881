import { changeIndexes } from './changeIndexes.ts';
import type { Migration } from './migration.ts';

/** With the id, so that counting reads no document. */
const sealed = { name: 'sealed', key: { secret: 1, _id: 1 } } as const;

/** By these the versions of KEY_PEPPERS and SESSION_KEYS that are in use are found and counted. */
export const secretVersions: Migration = {
  version: 9,
  name: 'indexes of versions of secrets',
  worksWith: 3,
  run: (context) =>
    changeIndexes(context, {
      build: {
        accounts: [{ name: 'keyPepper', key: { 'keys.pepperVersion': 1, 'keys.revokedAt': 1 } }],
        customerFactors: [sealed],
        staffFactors: [sealed],
      },
    }),
};
