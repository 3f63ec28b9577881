import type { Migration } from './migration.ts';

/** Favourites, collections, links to generations, generations that their owners deleted, and choices of mails. */
export const wall: Migration = {
  version: 19,
  name: 'favourites, collections, links and notices',
  worksWith: 3,
  run: ({ applySchemas }) => applySchemas(),
};
