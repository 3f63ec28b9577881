import { changeIndexes } from './changeIndexes.ts';
import type { Migration } from './migration.ts';

/** Mails wait in the database until they are sent. */
export const mails: Migration = {
  version: 3,
  name: 'mails',
  worksWith: 1,
  run: (context) =>
    changeIndexes(context, {
      build: {
        mails: [
          { name: 'due', key: { nextTryAt: 1 }, sparse: true },
          { name: 'gone', key: { goneAt: 1 }, expireAfterSeconds: 0 },
        ],
      },
    }),
};
