import { expect, test } from '@jest/globals';
import type { Session } from '../../../application/ports/site.ts';
import { codecOf } from './codec.ts';
import type { ledgerSchema } from './ledger.ts';
import type { StoredOf } from './schema.ts';
import { type sessionCodec, sessionSchema } from './sessions.ts';
import type { TypedCollection } from './statements.ts';
import type { TypedModel } from './typedModel.ts';

/*
 * Statements that must not compile. The functions are never called: `npm run types` fails where an expected error no
 * longer occurs.
 */

type Ledger = TypedCollection<StoredOf<typeof ledgerSchema>>;
type Sessions = TypedCollection<StoredOf<typeof sessionSchema>>;
const session: Session = {
  id: 'hash',
  accountId: 'acct_1',
  actsFor: null,
  createdAt: 1,
  seenAt: 2,
  expiresAt: 3,
  userAgent: '',
  address: '',
  data: { createdAt: 4, fooUntil: 5, at: new Date(6) },
};

const filters = (ledger: Ledger) => [
  ledger.findOne({ accountId: 'a', 'movements.lotId': 'l', kind: { $in: ['grant', 'charge'] } }),
  ledger.findOne({ 'movements.0.amount': { $lt: 0 }, at: { $gte: new Date(0) } }),
  // @ts-expect-error a misspelt name
  ledger.findOne({ accountid: 'a' }),
  // @ts-expect-error misspelt within a part
  ledger.findOne({ 'movements.lotid': 'l' }),
  // @ts-expect-error a misspelt name within $or
  ledger.findOne({ $or: [{ accountid: 'a' }] }),
  // @ts-expect-error not a value of the enum
  ledger.findOne({ kind: { $in: ['gront'] } }),
  // @ts-expect-error ms where a date is stored
  ledger.findOne({ at: { $gte: 1 } }),
  // @ts-expect-error a sort by an unknown field
  ledger.find({}, { sort: { nomber: 1 } }),
];

const projections = async (ledger: Ledger) => {
  const found = await ledger.findOne({ _id: 'e' }, { projection: { at: 1, 'movements.lotId': 1 } });
  // @ts-expect-error it was not asked for
  const name: keyof NonNullable<typeof found> = 'amount';
  // @ts-expect-error a misspelt name
  await ledger.findOne({ _id: 'e' }, { projection: { att: 1 } });
  return [name, found?.at.getTime()];
};

const updates = (ledger: Ledger, sessions: Sessions) => [
  sessions.updateOne({ _id: 's' }, { $set: { seenAt: new Date(0), 'data.anything': 1 } }),
  // @ts-expect-error a misspelt name
  sessions.updateOne({ _id: 's' }, { $set: { seen: new Date(0) } }),
  // @ts-expect-error ms where a date is stored
  sessions.updateOne({ _id: 's' }, { $set: { seenAt: 1 } }),
  // @ts-expect-error misspelt in a pipeline
  sessions.updateOne({ _id: 's' }, [{ $set: { seen: '$$NOW' } }]),
  // @ts-expect-error a member with an unknown field
  ledger.updateOne({ _id: 'e' }, { $push: { movements: { lotId: 'l', amounts: 1 } } }),
  // @ts-expect-error a field is missing
  sessions.insertOne({ _id: 's', accountId: 'a' }),
  sessions.bulkWrite([
    // @ts-expect-error a misspelt name
    { updateOne: { filter: { _id: 's' }, update: { $set: { seen: new Date(0) } } } },
  ]),
];

const models = (sessions: TypedModel<StoredOf<typeof sessionSchema>>) => [
  sessions.find({ accountId: 'a' }, { seenAt: 1 }, { sort: { seenAt: -1 }, limit: 1 }).lean(),
  // @ts-expect-error a misspelt name
  sessions.find({ accountid: 'a' }).lean(),
  // @ts-expect-error a misspelt name
  sessions.find({}, { accountid: 1 }).lean(),
  // @ts-expect-error a sort by an unknown field
  sessions.find({}, { seenAt: 1 }, { sort: { seen: -1 } }).lean(),
  // @ts-expect-error a misspelt name
  sessions.updateOne({ _id: 's' }, { $set: { seen: new Date(0) } }),
];

const codecs = (codec: typeof sessionCodec) => [
  // @ts-expect-error the domain type has a field that the schema forgets
  codecOf<Session & { locale: string }>()(sessionSchema),
  // @ts-expect-error the domain type has an optional field that the schema forgets
  codecOf<Session & { locale?: string }>()(sessionSchema),
  // @ts-expect-error the schema has a field that the domain type forgets
  codecOf<Omit<Session, 'address'>>()(sessionSchema),
  // @ts-expect-error of another type
  codecOf<Omit<Session, 'address'> & { address: string | null }>()(sessionSchema),
  // @ts-expect-error not a whole value
  codec.toStored({ id: 's' }),
];

test('only dates of the schema are converted, on the way to the database and back', () => {
  expect([filters, projections, updates, models, codecs]).toHaveLength(5);
  const codec = codecOf<Session>()(sessionSchema);
  const stored = codec.toStored(session);
  expect(stored).toEqual({
    _id: 'hash',
    accountId: 'acct_1',
    actsFor: null,
    createdAt: new Date(1),
    seenAt: new Date(2),
    expiresAt: new Date(3),
    userAgent: '',
    address: '',
    data: { createdAt: 4, fooUntil: 5, at: new Date(6) },
  });
  expect(codec.fromStored(stored)).toEqual(session);
  expect(codec.toFields({ seenAt: 9 })).toEqual({ seenAt: new Date(9) });
});
