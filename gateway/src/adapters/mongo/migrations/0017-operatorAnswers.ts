import type { Migration } from './migration.ts';

/** The account of each stored answer of the operator API, so that an erasure finds it. */
export const operatorAnswers: Migration = {
  version: 17,
  name: 'accounts of answers of the operator API',
  worksWith: 3,
  run: ({ applySchemas }) => applySchemas(),
};
