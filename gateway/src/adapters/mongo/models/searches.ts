import { documentSchema, mixedOrNull, text, time, timeOrNull } from './schema.ts';

/** Searches through all collections, by their purpose. */
export const searchSchema = documentSchema('searches', {
  _id: text,
  startedAt: time,
  /** Where it continues: a collection, and the id of the last examined document, null before the first. */
  collectionName: text,
  after: mixedOrNull<unknown>(),
  /** Null while it runs. */
  finishedAt: timeOrNull,
});
