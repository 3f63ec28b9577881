import type { Migration } from './migration.ts';

/** Favourites, collections, links to generations, and generations that their owners deleted. */
export const wall: Migration = {
  version: 18,
  name: 'favourites, collections and links',
  worksWith: 3,
  run: ({ applySchemas }) => applySchemas(),
};
