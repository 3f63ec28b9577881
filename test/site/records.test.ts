import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  connectMongo,
  type MongoConnection,
} from '../../gateway/src/adapters/mongo/connectMongo.ts';
import { mailCodec } from '../../gateway/src/adapters/mongo/models/mails.ts';
import {
  sessionCodec,
  staffSessionCodec,
} from '../../gateway/src/adapters/mongo/models/sessions.ts';
import { staffProposalCodec } from '../../gateway/src/adapters/mongo/models/staff.ts';
import { uploadCodec } from '../../gateway/src/adapters/mongo/models/uploads.ts';
import { createRecords } from '../../gateway/src/adapters/mongo/records.ts';
import type { Upload } from '../../gateway/src/domain/generations/uploads.ts';
import { takeTestDatabase } from '../support/database.ts';
import { collectLog } from '../support/mongod.ts';

const database = takeTestDatabase();
let mongo: MongoConnection;

// Without indexes: those that remove expired documents would remove the documents of these tests.
beforeAll(async () => {
  const self = { id: 'records', role: 'api' } as const;
  mongo = await connectMongo({ uri: database.uri, log: collectLog().log, self });
});
afterAll(async () => {
  await mongo.close();
  await database.drop();
});

const owned = { accountId: 'acct_1', createdAt: 1_000, expiresAt: 2_000 };
const mail = {
  id: 'mail_1',
  to: '',
  subject: '',
  attempts: 0,
  createdAt: 1_000,
  validUntil: 2_000,
  goneAt: 3_000,
};
const upload: Upload = {
  ...owned,
  id: 'upl_1',
  type: 'image',
  key: null,
  previewKey: null,
  bytes: 0,
  source: null,
  size: null,
  seconds: null,
  neededUntil: 0,
};

test('Mongoose neither fills in, empties nor converts stored values', async () => {
  const { models } = mongo;
  const sessions = createRecords(models.sessions, sessionCodec);
  const browser = { ...owned, actsFor: null, seenAt: 1_000, userAgent: '', address: '' };
  const data = { at: 1_000, createdAt: '2', fooUntil: [3], draft: { at: 4, none: null } };
  for (const session of [
    { ...browser, id: 'empty', data: {} },
    { ...browser, id: 'full', data },
  ]) {
    await sessions.insert(session);
    expect(await sessions.find(session.id)).toStrictEqual(session);
  }

  const mails = createRecords(models.mails, mailCodec);
  await mails.insert(mail);
  expect(await mails.find(mail.id)).toStrictEqual(mail);

  const uploads = createRecords(models.uploads, uploadCodec);
  for (const each of [upload, { ...upload, id: 'upl_2', neededBy: [], seconds: 1.5 }]) {
    await uploads.insert(each);
    expect(await uploads.find(each.id)).toStrictEqual(each);
  }

  const proposals = createRecords(models.staffProposals, staffProposalCodec);
  const proposal = {
    id: 'prop_1',
    at: 1_000,
    expiresAt: 2_000,
    action: 'grant credits' as const,
    slug: 'grant',
    targetId: 'acct_1',
    fields: [['credits', '100']] as [string, string][],
    reason: '',
    accountId: 'acct_2',
    email: 'ada@example.com',
  };
  await proposals.insert(proposal);
  expect(await proposals.find(proposal.id)).toStrictEqual(proposal);
});

test('a field that no schema names is refused', async () => {
  const { insert } = createRecords(mongo.models.staffSessions, staffSessionCodec);
  const odd = { ...owned, id: 'odd', seenAt: 1_000, extra: 1 };
  await expect(insert(odd)).rejects.toThrow('extra');
});
