import type { Migration } from './migration.ts';

/** The database compares documents with the schemas. A release that changes one does so again, first. */
export const validators: Migration = {
  version: 10,
  name: 'validators of documents',
  worksWith: 3,
  run: ({ setValidators }) => setValidators(),
};
