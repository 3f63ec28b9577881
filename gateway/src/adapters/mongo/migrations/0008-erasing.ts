import { changeIndexes } from './changeIndexes.ts';
import type { Migration } from './migration.ts';

/** Erasing an account finds its traces without reading those of all others. */
export const erasing: Migration = {
  version: 8,
  name: 'traces of an account',
  worksWith: 3,
  run: (context) =>
    changeIndexes(context, {
      build: {
        confirmations: [
          { name: 'account', key: { accountId: 1 }, sparse: true },
          { name: 'email', key: { email: 1 }, sparse: true },
        ],
        mails: [{ name: 'to', key: { to: 1 } }],
        realPersonAudit: [{ name: 'account', key: { accountId: 1 } }],
      },
    }),
};
