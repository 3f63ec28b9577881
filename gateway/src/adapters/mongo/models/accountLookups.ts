import { documentSchema, text } from './schema.ts';

/**
 * The account of an email address, an external id, a key's hash or an identity, by kind and value. The id makes the
 * values unique.
 */
export const accountLookupSchema = documentSchema('accountLookups', {
  _id: text,
  accountId: text,
});
