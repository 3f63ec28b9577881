import type { mongo } from 'mongoose';
import { isDuplicate } from './errors.ts';

/**
 * Documents keep times as dates, for people, TTL indexes and `$$NOW`; the domain keeps them as ms
 * since the epoch. A field is a time when its name is `at` or ends in `At` or `Until`.
 */
const timeName = /(^at|At|Until)$/;

function convert(value: unknown, name: string): unknown {
  if (typeof value === 'number') return timeName.test(name) ? new Date(value) : value;
  if (Array.isArray(value)) return value.map((member: unknown) => convert(member, ''));
  if (value !== null && typeof value === 'object' && !(value instanceof Date)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, convert(member, key)]),
    );
  }
  return value;
}

/** The fields of a domain object as they are stored. */
export function toFields(value: object): Record<string, unknown> {
  return convert(value, '') as Record<string, unknown>;
}

/** A whole domain object as a document: its `id` is the document's `_id`. */
export function toDocument<T extends { id: string }>(value: T): StoredDocument {
  const { id, ...fields } = toFields(value);
  return { _id: id as string, ...fields };
}

/** A document whose fields are only known to the domain type that it was made from. */
export interface StoredDocument {
  _id: string;
  [field: string]: unknown;
}

function restore(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  if (Array.isArray(value)) return value.map(restore);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, restore(member)]));
  }
  return value;
}

/** The domain value that stored fields were made from. */
export function fromFields<T>(fields: object): T {
  return restore(fields) as T;
}

/** The domain object that a document was made from. The caller names the type that it stored. */
export function fromDocument<T>(document: object): T {
  const { _id, ...fields } = restore(document) as StoredDocument;
  return { id: _id, ...fields } as T;
}

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
