import type { mongo } from 'mongoose';
import { sum } from '@framegate/contract';

/** An operation as recorded by the server: its plan, and the documents and index keys that it read. */
export interface ProfiledOperation {
  collection: string;
  /** `query`, `command`, `update` and others. */
  op: string;
  plan: string;
  documents: number;
  keys: number;
  /** Documents returned, changed or removed. */
  returned: number;
  /** Index keys inserted and removed. */
  keysWritten: number;
  /** Size of its response. */
  bytes: number;
  command: mongo.Document;
}

/** Room for the records of some thousands of operations, in bytes. */
const size = 32 * 1024 * 1024;

/** The operations on these collections that the server ran during `work`. */
export async function profile(
  db: mongo.Db,
  collections: readonly string[],
  work: () => Promise<unknown>,
): Promise<ProfiledOperation[]> {
  await makeRoom(db);
  await db.command({ profile: 2 });
  try {
    await work();
  } finally {
    await db.command({ profile: 0 });
  }
  const ns = { $in: collections.map((name) => `${db.databaseName}.${name}`) };
  const found = await db.collection('system.profile').find({ ns }).toArray();
  await db.collection('system.profile').drop();
  const sumOf = (...counts: unknown[]) => sum(counts.map((count) => Number(count ?? 0)));
  return found.map((each) => ({
    collection: String(each['ns']).slice(db.databaseName.length + 1),
    op: String(each['op']),
    plan: String(each['planSummary'] ?? ''),
    documents: sumOf(each['docsExamined']),
    keys: sumOf(each['keysExamined']),
    returned: sumOf(each['nreturned'], each['nMatched'], each['ndeleted']),
    keysWritten: sumOf(each['keysInserted'], each['keysDeleted']),
    bytes: sumOf(each['responseLength']),
    command: (each['command'] ?? {}) as mongo.Document,
  }));
}

/**
 * Recreates the collection of records. An operation still running at the end of an earlier profile records itself,
 * which creates the collection in its default size, before or after this profile drops it.
 */
async function makeRoom(db: mongo.Db): Promise<void> {
  for (let attempts = 1; ; attempts += 1) {
    await db.collection('system.profile').drop();
    try {
      await db.createCollection('system.profile', { capped: true, size });
      return;
    } catch (error) {
      const exists = (error as { codeName?: string }).codeName === 'NamespaceExists';
      if (!exists || attempts === 20) throw error;
    }
  }
}
