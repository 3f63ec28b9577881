import type { mongo } from 'mongoose';

/** A collection without the types of its schema, to store what it would not allow or only a part of it. */
export const plain = (collection: { collectionName: string }) =>
  collection as unknown as mongo.Collection<{ _id: string; [field: string]: unknown }>;
