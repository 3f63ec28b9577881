import type { Migration } from './migration.ts';

/** Teams: members and invitations of accounts, monthly limits, and the account for which a session acts. */
export const teams: Migration = {
  version: 23,
  name: 'teams',
  worksWith: 3,
  run: ({ applySchemas }) => applySchemas(),
};
