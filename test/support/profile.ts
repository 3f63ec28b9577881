import type { mongo } from 'mongoose';

/** An operation as the server noted it: its plan, and the documents and index keys that it read. */
export interface ProfiledOperation {
  collection: string;
  /** `query`, `command`, `update` and others. */
  op: string;
  plan: string;
  documents: number;
  keys: number;
  /** Index keys that it inserted and removed. */
  keysWritten: number;
  /** Of its answer. */
  bytes: number;
}

/** The operations on these collections that the server ran during `work`. */
export async function profile(
  db: mongo.Db,
  collections: readonly string[],
  work: () => Promise<unknown>,
): Promise<ProfiledOperation[]> {
  await db.command({ profile: 2 });
  try {
    await work();
  } finally {
    await db.command({ profile: 0 });
  }
  const ns = { $in: collections.map((name) => `${db.databaseName}.${name}`) };
  const found = await db.collection('system.profile').find({ ns }).toArray();
  await db.collection('system.profile').drop();
  return found.map((each) => ({
    collection: String(each['ns']).slice(db.databaseName.length + 1),
    op: String(each['op']),
    plan: String(each['planSummary'] ?? ''),
    documents: Number(each['docsExamined'] ?? 0),
    keys: Number(each['keysExamined'] ?? 0),
    keysWritten: Number(each['keysInserted'] ?? 0) + Number(each['keysDeleted'] ?? 0),
    bytes: Number(each['responseLength'] ?? 0),
  }));
}
