import type { CustomerFactor } from '../../../application/ports/site.ts';
import type { Passkey, SecondFactor } from '../../../application/ports/staff.ts';
import { codecOf } from './codec.ts';
import { count, documentSchema, flag, text, textOrNull, time, timeOrNull } from './schema.ts';

/** Second factors of customers, by account id. */
export const customerFactorSchema = documentSchema('customerFactors', {
  _id: text,
  /** Encrypted; begins with the version of the secret that encrypted it. */
  secret: text,
  /** Number of steps of 30 s since the epoch. */
  lastStep: count,
  recoveryHashes: { type: [String], required: true },
  enabledAt: time,
})
  // Includes the id, so that counting reads no document.
  .index({ secret: 1, _id: 1 }, { name: 'sealed' });

export const customerFactorCodec = codecOf<CustomerFactor>()(customerFactorSchema);

/** Second factors of staff, and the links that lead to one, by account id. */
export const staffFactorSchema = documentSchema('staffFactors', {
  _id: text,
  /** Encrypted like customers' factors; null until enrolled. */
  secret: textOrNull,
  lastStep: count,
  linkHash: textOrNull,
  linkUntil: time,
  setsPassword: flag,
})
  .index(
    { linkHash: 1 },
    {
      name: 'link',
      unique: true,
      partialFilterExpression: { linkHash: { $type: 'string' } },
    },
  )
  .index({ secret: 1, _id: 1 }, { name: 'sealed' });

export const staffFactorCodec = codecOf<SecondFactor>()(staffFactorSchema);

/** Passkeys of staff, by the id of the credential. */
export const passkeySchema = documentSchema('passkeys', {
  _id: text,
  accountId: text,
  name: text,
  /** The public key (COSE), in base64url. */
  publicKey: text,
  /** Uses reported by the passkey; 0 for passkeys that do not count. */
  counter: count,
  createdAt: time,
  lastUsedAt: timeOrNull,
}).index({ accountId: 1 }, { name: 'account' });

export const passkeyCodec = codecOf<Passkey>()(passkeySchema);
