import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createNoticeStore } from '../../gateway/src/adapters/mongo/noticeStore.ts';
import { mailsTo } from '../site/support/mailbox.ts';
import { errorOf, startOperatorWorld, useOperatorWorld } from './support/operatorWorld.ts';

/* What becomes of a customer's address: another one, or an erasure. */

const { world, operator } = useOperatorWorld();
const someone = () => `${randomUUID()}@customers.example`;

describe('another address by an upsert', () => {
  test('ends the sessions at the site and is reported to the former address, once', async () => {
    const { gateway } = world;
    const { clock, models, collections } = gateway.gateway.database;
    const [before, after] = [someone(), someone()];
    const path = `/accounts/by-external-id/${randomUUID()}`;
    const { json } = await operator.call('PUT', path, { email: before, email_verified: true });
    const now = new Date(clock.now());
    await models.sessions.insertOne({
      _id: randomUUID(),
      accountId: String(json['id']),
      actsFor: null,
      createdAt: now,
      seenAt: now,
      expiresAt: new Date(now.getTime() + 60_000),
      userAgent: 'x',
      address: '127.0.0.1',
      data: {},
    });
    const sessions = () => models.sessions.countDocuments({ accountId: String(json['id']) });

    expect((await operator.call('PUT', path, { email: before })).status).toBe(200);
    expect(await sessions()).toBe(1);
    expect((await operator.call('PUT', path, { email: after })).json['email']).toBe(after);
    expect(await sessions()).toBe(0);
    const told = await mailsTo(gateway.dataDir, before);
    expect(told.map(({ subject }) => subject)).toEqual([
      'Your Framegate account has another e-mail address',
    ]);
    expect(told[0]?.text).not.toContain(after);

    // In the language of the account, which has been chosen since.
    await createNoticeStore(models, collections).speak(String(json['id']), 'de');
    expect((await operator.call('PUT', path, { email: before })).status).toBe(200);
    expect((await mailsTo(gateway.dataDir, after)).map(({ subject }) => subject)).toEqual([
      'Dein Konto bei Framegate hat eine neue E-Mail-Adresse',
    ]);
  });

  test('ends them and queues the mail in the transaction of the change, or does neither', async () => {
    const { database, collections, models, clock } = world.gateway.gateway.database;
    const id = await world.addCustomer();
    const { json } = await operator.get(`/accounts/${await world.addCustomer()}`);
    const taken = String(json['email']);
    const now = new Date(clock.now());
    const sessionId = randomUUID();
    await models.staffSessions.insertOne({
      _id: sessionId,
      accountId: id,
      createdAt: now,
      seenAt: now,
      expiresAt: new Date(now.getTime() + 60_000),
    });
    const mail = {
      id: `mail_${randomUUID()}`,
      to: 'former@customers.example',
      subject: 'x',
      sealed: 'x',
      sealedHtml: 'x',
      tries: 0,
      createdAt: clock.now(),
      nextTryAt: clock.now() + 60_000,
      validUntil: clock.now() + 60_000,
      goneAt: clock.now() + 60_000,
    };
    const change = (email: string) =>
      database.changeAccount(id, (account) => ({
        after: { ...account, email },
        signsOut: true,
        mails: [mail],
        result: undefined,
      }));
    const written = async () => [
      await collections.mails.countDocuments({ _id: mail.id }),
      await collections.staffSessions.countDocuments({ _id: sessionId }),
    ];
    await expect(change(taken)).rejects.toThrow('email');
    expect(await written()).toEqual([0, 1]);
    await change(someone());
    expect(await written()).toEqual([1, 0]);
  });

  test('queues the mail with the change where there is a mail server', async () => {
    const shop = await startOperatorWorld({
      MONGODB_URI: world.gateway.env['MONGODB_URI'] ?? '',
      SMTP_URL: 'smtp://127.0.0.1:1',
    });
    try {
      const [before, after] = [someone(), someone()];
      const path = `/accounts/by-external-id/${randomUUID()}`;
      await shop.operator.call('PUT', path, { email: before });
      await shop.operator.call('PUT', path, { email: after });
      const { mails } = shop.gateway.gateway.database.collections;
      expect(await mails.countDocuments({ to: before })).toBe(1);
    } finally {
      await shop.gateway.stop();
    }
  });
});

describe('an erasure', () => {
  test('takes address, external id and keys, also out of stored answers, and keeps the ledger', async () => {
    const { gateway } = world;
    const [email, externalId, key] = [someone(), randomUUID(), randomUUID()];
    const body = { external_id: externalId, email };
    const { json } = await operator.post('/accounts', body, key);
    const id = String(json['id']);
    await operator.post(`/accounts/${id}/credits/grants`, { amount: 5, kind: 'purchased' });
    await operator.post(`/accounts/${id}/keys`, { name: 'the shop of Ada' });

    const erased = await operator.post(`/accounts/${id}/erase`, { reason: 'asked for it' });
    expect(erased.status).toBe(200);
    expect(erased.json).toMatchObject({
      id,
      external_id: null,
      email: `${id}@erased.invalid`,
      status: 'suspended',
    });
    const replayed = await operator.post('/accounts', body, key);
    expect(replayed.json).toMatchObject({ id, external_id: null, email: `${id}@erased.invalid` });
    const stored = await gateway.gateway.database.models.operatorRequests.find({}).lean();
    const bodies = stored.map((each) => each.body).join('\n');
    for (const trace of [email, externalId, 'Ada']) expect(bodies).not.toContain(trace);
    const ledger = await operator.get(`/accounts/${id}/ledger`);
    expect(ledger.json['data']).toHaveLength(1);
  });

  test('waits for unfinished generations', async () => {
    const id = await world.addCustomer();
    await operator.post(`/accounts/${id}/credits/grants`, { amount: 100, kind: 'purchased' });
    await operator.post(`/accounts/${id}/images`, { model: 'image-b-2', prompt: 'x' });
    expect(errorOf(await operator.post(`/accounts/${id}/erase`))).toMatchObject({
      status: 400,
      message: expect.stringContaining('unfinished generations') as unknown,
    });
  });
});
