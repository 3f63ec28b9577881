import mongoose from 'mongoose';
import type { Log } from '../../application/ports/system.ts';
import type { Collections } from './collections.ts';
import { isDatabaseTrouble } from './errors.ts';
import { formerIndexes, indexes } from './indexes.ts';
import { retry } from './retry.ts';

const { MongoServerError } = mongoose.mongo;

/** How long the database may be without a primary while a process starts, in ms. */
const primaryWithinMs = 30_000;
const maxPauseMs = 1_000;

/**
 * Brings the database's indexes and fields up to date; safe to run by several processes and at every
 * start. The driver does not repeat the making of an index by itself when the primary changes meanwhile.
 */
export async function migrate(collections: Collections, log: Log): Promise<void> {
  const rule = { on: isDatabaseTrouble, withinMs: primaryWithinMs, maxPauseMs };
  await retry(() => bringUpToDate(collections), rule);
  await dropFormerIndexes(collections, log);
}

async function bringUpToDate(collections: Collections): Promise<void> {
  for (const [name, wanted] of Object.entries(indexes)) {
    if (wanted.length === 0) continue;
    await collections[name as keyof Collections].createIndexes(wanted);
  }
  await notePlaces(collections);
}

/** An index that stays behind costs a little with each write: that is no reason not to start. */
async function dropFormerIndexes(collections: Collections, log: Log): Promise<void> {
  for (const [name, former] of Object.entries(formerIndexes)) {
    const collection = collections[name as keyof Collections];
    for (const index of former) {
      try {
        await collection.dropIndex(index);
      } catch (error) {
        if (error instanceof MongoServerError && error.codeName === 'IndexNotFound') continue;
        log.warn({ error, collection: name, index }, 'an unused index could not be dropped');
      }
    }
  }
}

/** Writes the place of those that a release without places gave to a provider. */
async function notePlaces({ generations }: Collections): Promise<void> {
  const step = { $in: ['submitting', 'submitted'] };
  await generations.updateMany({ open: true, step, place: { $exists: false } }, [
    { $set: { place: { $ifNull: [{ $last: '$attempts.provider' }, null] } } },
  ]);
}
