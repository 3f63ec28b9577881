import { ledgerEntryKinds } from '@framegate/contract';
import type { LedgerEntry } from '../../../domain/credits/ledgerChain.ts';
import { codecOf } from './codec.ts';
import { movementSchema } from './credits.ts';
import {
  count,
  countIfAny,
  documentSchema,
  oneOf,
  type StoredOf,
  text,
  textIfAny,
  textOrNull,
  time,
  whole,
} from './schema.ts';

/**
 * Entries of the ledger, by account id and number; amounts in credits. Written once; only the
 * position is added later.
 */
export const ledgerSchema = documentSchema('ledger', {
  _id: text,
  accountId: text,
  number: { ...count, min: 1 },
  kind: oneOf(ledgerEntryKinds),
  amount: whole,
  movements: { type: [movementSchema], required: true },
  generationId: textOrNull,
  reason: textOrNull,
  requestId: text,
  reference: textIfAny,
  at: time,
  /** SHA-256 over the previous entry's hash and its own values. */
  hash: text,
  /** Its position in the feed of all accounts, assigned when the feed is first read that far (feed.ts). */
  position: countIfAny,
})
  // The feed's order; entries without a position come first.
  .index({ position: 1, _id: 1 }, { name: 'feed' })
  // One charge and at most one refund per generation.
  .index(
    { accountId: 1, generationId: 1, kind: 1 },
    {
      name: 'accountGenerationKind',
      unique: true,
      partialFilterExpression: { generationId: { $type: 'string' } },
    },
  )
  // One grant or adjustment per reference; `references` makes it unique across accounts.
  .index(
    { accountId: 1, reference: 1 },
    {
      name: 'accountReference',
      unique: true,
      partialFilterExpression: { reference: { $exists: true } },
    },
  );

export const ledgerCodec = codecOf<LedgerEntry, 'position'>()(ledgerSchema);

/** An entry as it is stored. */
export type StoredLedgerEntry = StoredOf<typeof ledgerSchema>;

/** The account of each reference of a grant or an adjustment; as the id, a reference is unique across accounts. */
export const referenceSchema = documentSchema('references', {
  _id: text,
  accountId: text,
});
