import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { hourMs, minuteMs } from '@framegate/contract';
import type { MediaStore } from '@framegate/media';
import { createNoticeStore } from '../../gateway/src/adapters/mongo/mails/noticeStore.ts';
import { keepAccount } from '../../gateway/src/application/accounts/erasureRequest.ts';
import { eraseGenerations } from '../../gateway/src/application/generations/end/eraseGenerations.ts';
import { eraseDue } from '../../gateway/src/application/upkeep/dueErasures.ts';
import { searchErased } from '../../gateway/src/application/upkeep/searchErased.ts';
import { recordErasureRequest } from '../../gateway/src/domain/accounts/erasureRequest.ts';
import { inviteMember } from '../../gateway/src/domain/teams/team.ts';
import { mailsTo } from '../site/support/mailbox.ts';
import { collectLog } from '../support/mongod.ts';
import { until } from '../support/until.ts';
import { errorOf, startOperatorWorld, useOperatorWorld } from './support/operatorWorld.ts';

/* The end of a customer's address: a change, or an erasure. */

const { world, operator } = useOperatorWorld();
/** Does the work of the task. */
async function erase(accountId: string): Promise<void> {
  const { database, clock } = world.gateway;
  const { log } = collectLog();
  const deps = { database, clock, log, media: {} as MediaStore };
  await eraseGenerations(deps, new AbortController().signal, accountId);
}
const someone = () => `${randomUUID()}@customers.example`;

describe('another address by an upsert', () => {
  test('ends the sessions at the site and is reported once to the former address', async () => {
    const { gateway } = world;
    const { clock, models, collections } = gateway;
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
      expiresAt: new Date(now.getTime() + minuteMs),
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
    expect(told.map(({ subject }) => subject)).toEqual(['Your Framegate email was changed']);
    expect(told[0]?.text).not.toContain(after);

    // In the account's language, which was chosen in the meantime.
    await createNoticeStore(models, collections).setLanguage(String(json['id']), 'de');
    expect((await operator.call('PUT', path, { email: before })).status).toBe(200);
    expect((await mailsTo(gateway.dataDir, after)).map(({ subject }) => subject)).toEqual([
      'Dein Konto bei Framegate hat eine neue E-Mail-Adresse',
    ]);
  });

  test('keeps no data about the former person', async () => {
    const { database, models, clock } = world.gateway;
    const path = `/accounts/by-external-id/${randomUUID()}`;
    const { json } = await operator.call('PUT', path, { email: someone(), email_verified: true });
    const id = String(json['id']);
    const linkedAt = clock.now();
    await database.changeAccount(id, (account) => ({
      after: {
        ...account,
        passwordHash: 'of the former person',
        identities: [{ issuer: 'https://id.example', subject: id, linkedAt }],
        teams: ['acct_team'],
        erasureRequest: { requestedAt: linkedAt, dueAt: linkedAt, remindAt: linkedAt },
      },
      result: null,
    }));
    const factor = { secret: '1:x', lastStep: 0, recoveryHashes: [], enabledAt: new Date() };
    await models.customerFactors.insertOne({ _id: id, ...factor });
    await operator.post(`/accounts/${id}/sign-in-links`, {});

    await operator.call('PUT', path, { email: someone(), email_verified: true });
    expect(await database.accounts.find(id)).toMatchObject({
      passwordHash: null,
      identities: [],
      teams: [],
      erasureRequest: { dueAt: null, remindAt: null },
    });
    expect(await models.customerFactors.countDocuments({ _id: id })).toBe(0);
    expect(await models.signInLinks.countDocuments({ accountId: id })).toBe(0);
  });

  test('ends the sessions and queues the email in the transaction of the change, or does neither', async () => {
    const { database, collections, models, clock } = world.gateway;
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
      expiresAt: new Date(now.getTime() + minuteMs),
    });
    const mail = {
      id: `mail_${randomUUID()}`,
      to: 'former@customers.example',
      subject: 'x',
      sealed: 'x',
      sealedHtml: 'x',
      attempts: 0,
      createdAt: clock.now(),
      nextAttemptAt: clock.now() + minuteMs,
      validUntil: clock.now() + minuteMs,
      goneAt: clock.now() + minuteMs,
    };
    const change = (email: string) =>
      database.changeAccount(id, (account) => ({
        after: { ...account, email },
        ends: { by: 'move the email' },
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

  test('queues the email with the change where there is a mail server', async () => {
    const shop = await startOperatorWorld({
      MONGODB_URI: world.gateway.env['MONGODB_URI'] ?? '',
      SMTP_URL: 'smtp://127.0.0.1:1',
    });
    try {
      const [before, after] = [someone(), someone()];
      const path = `/accounts/by-external-id/${randomUUID()}`;
      await shop.operator.call('PUT', path, { email: before });
      await shop.operator.call('PUT', path, { email: after });
      const { mails } = shop.gateway.collections;
      expect(await mails.countDocuments({ to: before })).toBe(1);
    } finally {
      await shop.gateway.stop();
    }
  });
});

describe('an erasure', () => {
  test('removes address, external id and keys, even from stored responses, and keeps the ledger', async () => {
    const { gateway } = world;
    const [email, externalId, key] = [someone(), randomUUID(), randomUUID()];
    const body = { external_id: externalId, email };
    const { json } = await operator.post('/accounts', body, key);
    const id = String(json['id']);
    await operator.post(`/accounts/${id}/credits/grants`, { amount: 5, kind: 'purchased' });
    await operator.post(`/accounts/${id}/keys`, { name: 'the shop of Ada' });

    const erased = await world.erase(id);
    expect(erased.status).toBe(200);
    expect(erased.json).toMatchObject({ object: 'erasure', account_id: id, state: 'erasing' });
    expect((await operator.get(`/accounts/${id}`)).json).toMatchObject({
      id,
      external_id: null,
      email: `${id}@erased.invalid`,
      status: 'suspended',
    });
    await erase(id);
    const replayed = await operator.post('/accounts', body, key);
    expect(replayed.json).toMatchObject({ id, external_id: null, email: `${id}@erased.invalid` });
    const stored = await gateway.models.operatorRequests.find({}).lean();
    const bodies = stored.map((each) => each.body).join('\n');
    for (const trace of [email, externalId, 'Ada']) expect(bodies).not.toContain(trace);
    const ledger = await operator.get(`/accounts/${id}/ledger`);
    expect(ledger.json['data']).toHaveLength(1);
  });

  test('reaches a person in a team with an invitation of a stranger, and reports it', async () => {
    const { database, collections, db, clock } = world.gateway;
    const email = someone();
    const { json } = await operator.post('/accounts', { email, email_verified: true });
    const id = String(json['id']);
    const [team, stranger] = [await world.addCustomer(), await world.addCustomer()];
    await operator.post(`/accounts/${team}/members`, { member_account_id: id, role: 'member' });
    await database.changeAccount(stranger, (account) => ({
      after: inviteMember(account, { id: 'hash', email, role: 'billing' }, clock.now()),
      result: null,
    }));
    await operator.post(`/accounts/${id}/sign-in-links`, {});
    expect(errorOf(await operator.get(`/accounts/${id}/erasure`))).toMatchObject({
      status: 404,
      code: 'erasure_not_found',
    });

    expect((await world.erase(id)).status).toBe(200);
    // At once, in the transaction of the account.
    expect(await collections.signInLinks.countDocuments({ accountId: id })).toBe(0);
    const receipt = async () => (await operator.get(`/accounts/${id}/erasure`)).json;
    expect(await receipt()).toMatchObject({ account_id: id, state: 'erasing', done_at: null });
    await erase(id);
    expect(await receipt()).toMatchObject({
      state: 'erased',
      done_at: expect.any(String),
      counts: expect.arrayContaining([
        { kind: 'generations', count: 0 },
        { kind: 'sign-in links', count: 1 },
        { kind: 'teams and invitations', count: 2 },
      ]) as unknown,
    });
    const naming = async () => {
      const named: string[] = [];
      for (const { name } of await db.listCollections().toArray()) {
        const documents = await db.collection(name).find().toArray();
        if (JSON.stringify(documents).includes(email)) named.push(name);
      }
      return named;
    };
    // Only the record of the erasure still names the person, until the search of the night.
    expect([await naming(), (await receipt())['checked_at']]).toEqual([['erasures'], null]);
    const doneAt = new Date(clock.now() - hourMs);
    await collections.erasures.updateOne({ _id: id }, { $set: { doneAt } });
    const { log } = collectLog();
    const deps = { database, clock, log, reachFaultPoint: () => undefined };
    await until(async () => {
      await searchErased(deps, new AbortController().signal);
      return (await receipt())['checked_at'] !== null;
    });
    expect(await naming()).toEqual([]);
  });

  test('waits for unfinished generations', async () => {
    const id = await world.addCustomer();
    await operator.post(`/accounts/${id}/credits/grants`, { amount: 100, kind: 'purchased' });
    await operator.post(`/accounts/${id}/images`, { model: 'image-b-2', prompt: 'x' });
    expect(errorOf(await world.erase(id))).toMatchObject({
      status: 409,
      code: 'generations_unfinished',
    });
  });
});

describe('an erasure requested by one key', () => {
  const stateOf = async (id: string) => (await operator.get(`/accounts/${id}/erasure`)).json;
  /** Lets a day pass, and does the work of the task. */
  async function passDay(id: string): Promise<void> {
    const { database, clock } = world.gateway;
    await database.changeAccount(id, (account) => {
      const { erasureRequest } = account;
      if (!erasureRequest) throw new Error(`nobody asked to erase ${id}`);
      const passed = { ...erasureRequest, requestedAt: 1, dueAt: 2 };
      return { after: { ...account, erasureRequest: passed }, result: undefined };
    });
    await eraseDue({ database, clock, reachFaultPoint: () => undefined }, id);
  }

  test('is scheduled for the next day, however often it is requested, and begins by itself', async () => {
    const { database, collections } = world.gateway;
    const id = await world.addCustomer();
    const request = await operator.post(`/accounts/${id}/erase`, { reason: 'asked' });
    expect(request.json).toMatchObject({ state: 'scheduled', started_at: null });
    const begins = Date.parse(String(request.json['begins_at']));
    expect(begins - Date.now()).toBeGreaterThan(23.9 * hourMs);
    const { email } = (await database.accounts.find(id)) ?? { email: '' };
    const mails = await mailsTo(world.gateway.dataDir, email);
    expect(mails.map(({ subject }) => subject)).toEqual(['Your Framegate account will be deleted']);
    expect(mails[0]?.text).toContain('/settings/account/erasure');
    const again = await operator.post(`/accounts/${id}/erase`, { reason: 'asked' });
    expect(again.json).toEqual(request.json);
    expect(await stateOf(id)).toEqual(request.json);
    await erase(id);
    expect(await database.accounts.find(id)).toMatchObject({ status: 'active' });
    const entries = await collections.staffAudit.find({ targets: id }).toArray();
    expect(entries.map(({ action }) => action)).toContain('api eraseAccount');

    await passDay(id);
    await erase(id);
    expect(await database.accounts.find(id)).toMatchObject({ email: `${id}@erased.invalid` });
    expect(await stateOf(id)).toMatchObject({ state: 'erased', begins_at: null });
  });

  test('is withdrawn by its person, with the page of the email, and begins earlier than their own', async () => {
    const { database, clock } = world.gateway;
    const id = await world.addCustomer();
    await operator.post(`/accounts/${id}/erase`, {});
    await keepAccount({ database, clock }, id);
    expect(await stateOf(id)).toMatchObject({ error: { code: 'erasure_not_found' } });
    await database.changeAccount(id, (account) => ({
      after: recordErasureRequest(account, clock.now()),
      result: undefined,
    }));
    const week = Date.parse(String((await stateOf(id))['begins_at']));
    const request = await operator.post(`/accounts/${id}/erase`, {});
    expect(Date.parse(String(request.json['begins_at']))).toBeLessThan(week);
  });

  test('is withdrawn by another key before it begins, and can be requested again', async () => {
    const id = await world.addCustomer();
    await operator.post(`/accounts/${id}/erase`, {});
    const other = await world.addKey({ scopes: ['accounts:write'] });
    const withdrawn = await other.post(`/accounts/${id}/erasure/withdraw`, { reason: 'not asked' });
    expect([withdrawn.status, withdrawn.json['state']]).toEqual([200, 'withdrawn']);
    expect(await stateOf(id)).toMatchObject({ error: { code: 'erasure_not_found' } });
    await erase(id);
    expect((await operator.get(`/accounts/${id}`)).json['status']).toBe('active');
    expect((await world.erase(id)).json['state']).toBe('erasing');
    const late = await other.post(`/accounts/${id}/erasure/withdraw`, {});
    expect(errorOf(late)).toMatchObject({ status: 404, code: 'erasure_not_found' });
  });

  test('waits for unfinished generations, and allows no new ones', async () => {
    const { database } = world.gateway;
    const id = await world.addCustomer();
    await operator.post(`/accounts/${id}/credits/grants`, { amount: 100, kind: 'purchased' });
    const made = await operator.post(`/accounts/${id}/images`, { model: 'image-b-2', prompt: 'x' });
    await operator.post(`/accounts/${id}/erase`, {});
    await passDay(id);
    expect(await database.accounts.find(id)).toMatchObject({ status: 'suspended' });
    expect(await stateOf(id)).toMatchObject({ state: 'scheduled' });
    await operator.post(`/generations/${String(made.json['id'])}/fail`, { reason: 'stopped' });
    await passDay(id);
    expect(await database.accounts.find(id)).toMatchObject({ email: `${id}@erased.invalid` });
    expect(await stateOf(id)).toMatchObject({ state: 'erasing' });
  });
});
