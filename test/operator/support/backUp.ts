import type { mongo } from 'mongoose';

/** Copies a database aside. @returns Puts the copy back in its place, as a restore does. */
export async function backUp(db: mongo.Db): Promise<() => Promise<void>> {
  const copies: [mongo.Collection, mongo.Document[]][] = [];
  for (const each of await db.collections()) {
    if (/^(system\.|processes$)/.test(each.collectionName)) continue;
    copies.push([each, await each.find().toArray()]);
  }
  return async () => {
    for (const [collection, documents] of copies) {
      await collection.deleteMany();
      if (documents.length > 0) await collection.insertMany(documents);
    }
  };
}
