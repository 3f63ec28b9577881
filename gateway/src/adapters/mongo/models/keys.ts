import type { ApiKey } from '../../../domain/accounts/apiKey.ts';
import { codecOf } from './codec.ts';
import { documentSchema, text, time, timeOrNull } from './schema.ts';

/** Times of API keys' last uses, by their ids. */
export const keyUseSchema = documentSchema('keyUses', {
  _id: text,
  usedAt: time,
  address: text,
});

/** Revoked keys that have left their account, by key id. */
export const formerKeySchema = documentSchema('formerKeys', {
  _id: text,
  accountId: text,
  name: text,
  hash: text,
  lastFour: text,
  createdAt: time,
  revokedAt: timeOrNull,
})
  .index({ accountId: 1 }, { name: 'account' })
  .index({ hash: 1 }, { name: 'hash' });

export const formerKeyCodec = codecOf<
  Pick<ApiKey, 'id' | 'name' | 'hash' | 'lastFour' | 'createdAt' | 'revokedAt'> & {
    accountId: string;
  }
>()(formerKeySchema);

/** The last time at which each version of a secret was used for new values, by the list's name and the version. */
export const secretVersionSchema = documentSchema('secretVersions', { _id: text, madeUntil: time });
