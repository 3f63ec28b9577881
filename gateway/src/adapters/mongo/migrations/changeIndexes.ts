import mongoose from 'mongoose';
import type { Collections } from '../collections.ts';
import type { MigrationContext } from './migration.ts';

const { MongoServerError } = mongoose.mongo;

/** An index; one with other keys or options gets another name. */
export type Index = mongoose.mongo.IndexDescription & { name: string };

type ByCollection<T> = Partial<Record<keyof Collections, readonly T[]>>;

/**
 * Changes indexes, all new ones before any old one goes: no question is without its index meanwhile. An
 * index that cannot be dropped stays behind, which costs a little with each write.
 */
export async function changeIndexes(
  { collections, log, assertHeld }: MigrationContext,
  { build = {}, drop = {} }: { build?: ByCollection<Index>; drop?: ByCollection<string> },
): Promise<void> {
  for (const [name, wanted] of Object.entries(build)) {
    assertHeld();
    await collections[name as keyof Collections].createIndexes([...wanted]);
  }
  for (const [name, former] of Object.entries(drop)) {
    for (const index of former) {
      assertHeld();
      try {
        await collections[name as keyof Collections].dropIndex(index);
      } catch (error) {
        if (error instanceof MongoServerError && error.codeName === 'IndexNotFound') continue;
        log.warn({ error, collection: name, index }, 'an unused index could not be dropped');
      }
    }
  }
}
