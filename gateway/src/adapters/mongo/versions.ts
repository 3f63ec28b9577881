import type { mongo } from 'mongoose';
import { toFields, type StoredDocument } from './documents.ts';
import { isDuplicate } from './errors.ts';

/** A guarded write missed: another process has written the document since it was read. */
export class VersionConflict extends Error {}

/** Whether an error is a `VersionConflict`. */
export const isVersionConflict = (error: unknown): boolean => error instanceof VersionConflict;

/**
 * Writes a document under the version that was read, and raises the version by one.
 * @param before The version that was read; 0 where there was no document, which is inserted then.
 * @throws VersionConflict
 */
export async function writeVersion(
  collection: mongo.Collection<StoredDocument>,
  { id, before, fields }: { id: string; before: number; fields: object },
  options: { writeConcern?: { w: number } } = {},
): Promise<void> {
  const next = { ...toFields(fields), version: before + 1 };
  if (before === 0) {
    try {
      await collection.insertOne({ _id: id, ...next }, options);
      return;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  } else {
    const written = await collection.updateOne(
      { _id: id, version: before },
      { $set: next },
      options,
    );
    if (written.modifiedCount === 1) return;
  }
  throw new VersionConflict(`${collection.collectionName} ${id} has changed`);
}
