import type { Migration } from './migration.ts';

/** Invitations that were mailed, so that staff see, repeat and withdraw them. */
export const invitations: Migration = {
  version: 22,
  name: 'invitations',
  worksWith: 3,
  run: ({ applySchemas }) => applySchemas(),
};
