import type { Migration } from './migration.ts';

/** Sign-on by a provider: its requests, and the identities of accounts. */
export const signOn: Migration = {
  version: 21,
  name: 'sign-on by a provider',
  worksWith: 3,
  run: ({ applySchemas }) => applySchemas(),
};
