import { documentSchema, text } from './schema.ts';

/** The account of each reference of a grant or an adjustment; as the id, a reference is unique over all accounts. */
export const referenceSchema = documentSchema('references', {
  _id: text,
  accountId: text,
});
