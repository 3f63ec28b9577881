import { count, documentSchema, flag, text, time } from './schema.ts';

/** Versions of the catalogue, by number; never changed. */
export const catalogueSchema = documentSchema('catalogues', {
  /** The number with leading zeros, so that ids sort by it. */
  _id: text,
  number: { ...count, min: 1 },
  hash: text,
  isOperators: flag,
  from: time,
  publishedAt: time,
  /** Host and process id. */
  publishedBy: text,
  /** Models and prices of groups, as JSON. */
  content: text,
}).index({ hash: 1 }, { name: 'hash', unique: true });
