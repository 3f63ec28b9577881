import { changeIndexes } from './changeIndexes.ts';
import type { Migration } from './migration.ts';

/** The indexes of files that accounts give to the studio: by account, and by when they are removed. */
export const uploads: Migration = {
  version: 5,
  name: 'indexes of uploads',
  worksWith: 3,
  run: (context) =>
    changeIndexes(context, {
      build: {
        uploads: [
          { name: 'account', key: { accountId: 1 } },
          { name: 'expiry', key: { expiresAt: 1 } },
        ],
      },
    }),
};
