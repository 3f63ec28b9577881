import type { mongo } from 'mongoose';

interface Plain {
  _id: string;
  [field: string]: unknown;
}

const bypass = { bypassDocumentValidation: true } as const;

/** Writes documents to a collection that its schema would not allow, or that have only some of its fields. */
export function plain(collection: { collectionName: string }) {
  const driver = collection as unknown as mongo.Collection<Plain>;
  return {
    insertOne: (document: Plain) => driver.insertOne(document, bypass),
    insertMany: (documents: readonly Plain[]) => driver.insertMany([...documents], bypass),
    updateOne: (filter: object, update: object, options: mongo.UpdateOptions = {}) =>
      driver.updateOne(filter, update, { ...bypass, ...options }),
    find: () => driver.find(),
    replaceOne: (filter: object, document: Omit<Plain, '_id'>) =>
      driver.replaceOne(filter, document, bypass),
    updateMany: (filter: object, update: object, options: mongo.UpdateOptions = {}) =>
      driver.updateMany(filter, update, { ...bypass, ...options }),
  };
}
