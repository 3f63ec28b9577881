import type { Session } from '../../../application/ports/site.ts';
import type { StaffSession } from '../../../application/ports/staff.ts';
import { codecOf } from './codec.ts';
import { documentSchema, mixedField, type StoredOf, text, textOrNull, time } from './schema.ts';

/** The account site's sessions, by the hash of their cookie. */
export const sessionSchema = documentSchema('sessions', {
  _id: text,
  accountId: text,
  /** The account for which the person acts; null for their own. */
  actsFor: textOrNull,
  createdAt: time,
  seenAt: time,
  expiresAt: time,
  userAgent: text,
  address: text,
  /** Values that a page keeps for the next one. */
  data: mixedField<Record<string, unknown>>(),
})
  .index({ accountId: 1, seenAt: -1 }, { name: 'account' })
  .index({ expiresAt: 1 }, { name: 'gone', expireAfterSeconds: 0 });

export const sessionCodec = codecOf<Session>()(sessionSchema);

/** Sessions of the console, by the hash of their cookie. */
export const staffSessionSchema = documentSchema('staffSessions', {
  _id: text,
  accountId: text,
  createdAt: time,
  seenAt: time,
  expiresAt: time,
})
  .index({ accountId: 1 }, { name: 'account' })
  .index({ expiresAt: 1 }, { name: 'gone', expireAfterSeconds: 0 });

export const staffSessionCodec = codecOf<StaffSession>()(staffSessionSchema);

/** A session of the console as stored. */
export type StoredStaffSession = StoredOf<typeof staffSessionSchema>;
