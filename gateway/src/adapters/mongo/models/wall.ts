import type { Collection, Share } from '../../../application/ports/wall.ts';
import { codecOf } from './codec.ts';
import { documentSchema, flag, text, time } from './schema.ts';

/** Named groups of an account's generations, which name them in `collectionIds`. */
export const collectionSchema = documentSchema('collections', {
  _id: text,
  accountId: text,
  name: text,
  madeBy: text,
  createdAt: time,
}).index({ accountId: 1 }, { name: 'account' });

export const collectionCodec = codecOf<Collection>()(collectionSchema);

/** Public links to generations, by generation id. */
export const shareSchema = documentSchema('shares', {
  _id: text,
  accountId: text,
  /** A random value from which the link's token is computed under SESSION_KEYS. */
  salt: text,
  /** Hexadecimal hash; the token itself is stored nowhere. */
  tokenHash: text,
  showsPrompt: flag,
  createdAt: time,
  expiresAt: time,
})
  .index({ tokenHash: 1 }, { name: 'token', unique: true })
  .index({ accountId: 1, _id: -1 }, { name: 'account' })
  .index({ expiresAt: 1 }, { name: 'gone', expireAfterSeconds: 0 });

export const shareCodec = codecOf<Share>()(shareSchema);
