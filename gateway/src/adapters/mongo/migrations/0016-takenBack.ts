import type { Migration } from './migration.ts';

/** Failures that say that the owner took the generation back: their validator. */
export const takenBack: Migration = {
  version: 16,
  name: 'generations taken back by their owners',
  worksWith: 3,
  run: ({ applySchemas }) => applySchemas(),
};
