import {
  loggedActs,
  logKeptMs,
  peopleIn,
  type TeamLogEntry,
} from '../../../domain/teams/teamLog.ts';
import { teamRoles } from '../../../domain/teams/teamRoles.ts';
import { codecOf } from './codec.ts';
import {
  countIfAny,
  documentSchema,
  oneOf,
  partSchema,
  type StoredOf,
  text,
  textIfAny,
  textOrNull,
  time,
} from './schema.ts';

/** The log of acts in accounts. Ids grow with time. */
export const teamLogSchema = documentSchema('teamLog', {
  _id: text,
  accountId: text,
  at: time,
  goneAt: time,
  act: oneOf(loggedActs),
  by: { type: partSchema({ id: text, email: text }), default: null },
  about: { type: partSchema({ id: textOrNull, email: text }), allowNull: false },
  key: { type: partSchema({ id: text, name: text }), allowNull: false },
  generations: { type: [String], default: undefined, allowNull: false },
  role: { type: String, enum: teamRoles, allowNull: false },
  /** Amount in credits. */
  credits: countIfAny,
  per: { type: String, enum: ['day', 'month'], allowNull: false },
  name: textIfAny,
  /** Ids and addresses of the people in it, for their erasure. */
  people: { type: [String], required: true },
})
  .index({ accountId: 1, _id: -1 }, { name: 'account' })
  .index({ people: 1 }, { name: 'people' })
  .index({ goneAt: 1 }, { name: 'gone', expireAfterSeconds: 0 });

/** An entry with its id and its account. */
interface AccountLogEntry extends TeamLogEntry {
  id: string;
  accountId: string;
}

export const teamLogCodec = codecOf<AccountLogEntry, 'goneAt' | 'people'>()(teamLogSchema);

/** An entry as it is stored. */
export function teamLogDocument(entry: AccountLogEntry): StoredOf<typeof teamLogSchema> {
  return {
    ...teamLogCodec.toStored(entry),
    goneAt: new Date(entry.at + logKeptMs),
    people: peopleIn(entry),
  };
}
