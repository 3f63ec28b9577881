import { documentSchema, text } from './schema.ts';

/**
 * The account of each reference of a grant or an adjustment, by the reference. The id makes it unique over all
 * accounts.
 */
export const referenceSchema = documentSchema('references', {
  _id: text,
  accountId: text,
});
