import { describe, expect, test } from '@jest/globals';
import { dayMs, hourMs, minuteMs } from '@framegate/contract';
import { createUpkeepStore } from '../../gateway/src/adapters/mongo/generations/upkeepStore.ts';
import { createNoticeStore } from '../../gateway/src/adapters/mongo/mails/noticeStore.ts';
import { eraseGenerations } from '../../gateway/src/application/generations/end/eraseGenerations.ts';
import { createSendNotices } from '../../gateway/src/application/mails/sendNotices.ts';
import type { Mail } from '../../gateway/src/application/ports/mails.ts';
import type { FaultPoint } from '../../gateway/src/application/ports/system.ts';
import { eraseAccount } from '../../gateway/src/application/staff/accountActions.ts';
import { eraseDue } from '../../gateway/src/application/upkeep/dueErasures.ts';
import { searchErased } from '../../gateway/src/application/upkeep/searchErased.ts';
import { codeOf } from '../staff/browse.ts';
import { collectLog } from '../support/mongod.ts';
import { until } from '../support/until.ts';
import { addFinished } from './support/addFinished.ts';
import { mailsTo } from './support/mailbox.ts';
import { password } from './support/signUpVerified.ts';
import { type Customer, turnOn, withPassword } from './support/useSecondFactor.ts';
import { teamPath, useTeam } from './support/useTeam.ts';

/* An erasure that a customer asks for. */

const world = useTeam();
const path = '/settings/account/erasure';
const never = { requestedAt: 0, dueAt: null, remindAt: null };

const ask = async ({ visitor }: Customer, fields: Record<string, string> = {}) => {
  await visitor.get(path);
  return visitor.post(path, { current_password: password, ...fields });
};
const askedOf = async (customer: Customer) => (await world().accountOf(customer)).erasureRequest;

/** Moves the times of an account's request. */
async function shift({ accountId }: Customer, ms: number) {
  const earlier = (at: number | null) => (at === null ? null : at - ms);
  await world().gateway.database.changeAccount(accountId, (account) => {
    const { requestedAt, dueAt, remindAt } = account.erasureRequest ?? never;
    const erasureRequest = {
      requestedAt: requestedAt - ms,
      dueAt: earlier(dueAt),
      remindAt: earlier(remindAt),
    };
    return { after: { ...account, erasureRequest }, result: null };
  });
}

/** Processes erasure requests as the upkeep task does. */
async function runLane(reachFaultPoint: (point: FaultPoint) => void = () => undefined) {
  const { database, collections, clock } = world().gateway;
  const deps = { database, clock, reachFaultPoint };
  for await (const ids of createUpkeepStore(collections, clock).listAccountsToErase(clock.now())) {
    for (const id of ids) await eraseDue(deps, id);
  }
}

describe('asking for it', () => {
  test('needs password and second factor, lists the removed data, and emails the way back immediately, once', async () => {
    const { person, addMember, gateway } = world();
    const owner = await person('leaver');
    const member = await person('stays');
    await addMember(owner, member, 'member');
    const { visitor, email } = owner;
    const before = await visitor.get(path);
    for (const words of ['You lose your remaining 1,000 credits', 'Another person uses']) {
      expect(before.text).toContain(words);
    }
    const { secret } = await turnOn(owner);
    const wrong = await ask(owner, { current_password: 'no' });
    expect([wrong.status, wrong.text]).toEqual([
      400,
      expect.stringContaining('field-current-problem'),
    ]);
    const noCode = await ask(owner, { code: '000000' });
    expect([noCode.status, noCode.text]).toEqual([
      400,
      expect.stringContaining('field-code-problem'),
    ]);
    expect(await askedOf(owner)).toBeUndefined();

    await gateway.collections.customerFactors.updateOne(
      { _id: owner.accountId },
      { $set: { lastStep: 0 } },
    );
    const done = await ask(owner, { code: codeOf(secret) });
    expect([done.status, done.path]).toEqual([200, path]);
    const request = await askedOf(owner);
    expect((request?.dueAt ?? 0) - (request?.requestedAt ?? 0)).toBe(7 * dayMs);
    const told = (await mailsTo(gateway.dataDir, email)).filter(({ subject }) =>
      subject.includes('will be deleted'),
    );
    expect(told.map(({ text }) => text)).toEqual([expect.stringContaining(path)]);
    // On every page, including for members who act for the account.
    expect((await visitor.get('/studio')).text).toContain('You asked us to delete your account');
    const theirs = await member.visitor.get('/studio');
    expect(theirs.text).toContain('This account will be deleted on');
    expect(theirs.text).not.toContain('Keep my account');
  });

  test('can be withdrawn by its person once, in any browser', async () => {
    const { person, gateway } = world();
    const customer = await person('regrets');
    await ask(customer);
    const other = (await withPassword(gateway, customer.email)).visitor;
    expect((await other.get('/studio')).text).toContain('Keep my account');
    const kept = await other.post(`${path}/keep`);
    expect(kept.text).toContain('keep your account.');
    expect(kept.text).not.toContain('You asked us');
    expect(await askedOf(customer)).toMatchObject({ dueAt: null, remindAt: null });
    await other.post(`${path}/keep`);
    await runLane();
    expect((await world().accountOf(customer)).email).toBe(customer.email);
  });

  test('is not possible for a member of a team', async () => {
    const { person, addMember } = world();
    const [owner, member] = [await person('boss'), await person('coworker')];
    await addMember(owner, member, 'owner');
    await ask(member);
    expect(await askedOf(owner)).toBeUndefined();
    expect(await askedOf(member)).toBeDefined();
  });
});

describe('after seven days', () => {
  test('the account is erased, after a reminder the day before, even if a process dies in between', async () => {
    const { person, gateway } = world();
    const customer = await person('gone');
    await ask(customer);
    await runLane();
    expect((await askedOf(customer))?.dueAt).not.toBeNull();
    const { database, models, collections, clock } = gateway;
    const sent: Mail[] = [];
    const sendNotices = createSendNotices({
      notices: createNoticeStore(models, collections),
      database,
      clock,
      log: collectLog().log,
      outputsKeptMs: 7 * dayMs,
      sendMail: async (mail) => void sent.push(mail),
    });
    const { signal } = new AbortController();
    await sendNotices(signal);
    expect(sent).toEqual([]);
    await shift(customer, 6.5 * dayMs);
    await sendNotices(signal);
    await sendNotices(signal);
    expect(sent.map(({ to, kind }) => [to, kind])).toEqual([[customer.email, 'erasureSoon']]);
    await shift(customer, dayMs);
    const late = await customer.visitor.post(`${path}/keep`);
    expect([late.status, late.text]).toEqual([
      409,
      expect.stringContaining('started deleting the account'),
    ]);

    for (const point of ['erase.beforeTransaction', 'erase.afterTransaction'] as const) {
      const die = (reached: FaultPoint) => {
        if (reached === point) throw new Error('killed');
      };
      await runLane(die).catch(() => undefined);
    }
    await Promise.all([runLane(), runLane()]);
    expect(await world().accountOf(customer)).toMatchObject({
      email: `${customer.accountId}@erased.invalid`,
      status: 'suspended',
      erasureRequest: { dueAt: null },
    });
    const erasure = await database.erasures.find(customer.accountId);
    expect(erasure).toMatchObject({ person: { email: customer.email } });
    const sessions = erasure?.traces.filter(({ kind, count }) => kind === 'sessions' && count > 0);
    expect(sessions).toHaveLength(1);
    expect((await customer.visitor.get('/credits')).path).toContain('/sign-in');
  });

  test('unfinished generations end first, and no new ones begin', async () => {
    const { person, gateway } = world();
    const customer = await person('busy');
    await ask(customer);
    await shift(customer, 7 * dayMs);
    const { database } = gateway;
    const running = (count: number) =>
      database.changeAccount(customer.accountId, (account) => ({
        after: { ...account, running: count },
        result: null,
      }));
    await running(1);
    await runLane();
    expect(await world().accountOf(customer)).toMatchObject({
      email: customer.email,
      status: 'suspended',
    });
    await running(0);
    // Retried a minute later.
    await runLane();
    expect((await world().accountOf(customer)).email).toBe(customer.email);
    await shift(customer, minuteMs);
    await runLane();
    expect((await world().accountOf(customer)).email).toContain('erased.invalid');
  });
});

test('nothing remains of a person with work, keys, links, a team and a second factor', async () => {
  const { person, addMember, gateway } = world();
  const [owner, customer] = [await person('team-owner'), await person('whole')];
  await addMember(owner, customer, 'owner');
  const { visitor, accountId, email } = customer;
  await visitor.get('/settings/public-api');
  const key = { name: 'in the team', current_password: password };
  await visitor.post('/settings/public-api/keys', key);
  const madeInTeam = await addFinished(gateway, owner.accountId, { madeBy: accountId });
  await visitor.get(teamPath);
  await visitor.post('/settings/acts-for', { account: accountId });
  await visitor.get('/settings/public-api');
  await visitor.post('/settings/public-api/keys', key);
  const id = await addFinished(gateway, accountId, { prompt: `For ${email}`, charge: [] });
  await visitor.get(`/generations/${id}`);
  await visitor.post(`/generations/${id}/share`, { days: '7' });
  await visitor.get('/history');
  await visitor.post('/history/collections', { name: `of ${email}`, id });
  await turnOn(customer);
  const { database, collections, clock, db } = gateway;
  const stored = async () => {
    const naming: string[] = [];
    for (const { name } of await db.listCollections().toArray()) {
      const documents = await db.collection(name).find().toArray();
      if (JSON.stringify(documents).includes(email)) naming.push(name);
    }
    return naming.toSorted();
  };
  expect(await stored()).toEqual(
    expect.arrayContaining(['accounts', 'collections', 'generations']),
  );

  await eraseAccount({ database, clock }, accountId);
  const alerts: object[] = [];
  const log = { ...collectLog().log, error: (fields: object) => void alerts.push(fields) };
  const { signal } = new AbortController();
  await eraseGenerations(
    { database, clock, log, media: { delete: async () => undefined } as never },
    signal,
    accountId,
  );
  const doneAt = new Date(clock.now() - hourMs);
  await collections.erasures.updateOne({ _id: accountId }, { $set: { doneAt } });
  await collections.searches.deleteMany({});
  await until(async () => {
    await searchErased({ database, clock, log, reachFaultPoint: () => undefined }, signal);
    return ((await collections.searches.findOne({ _id: 'erased' }))?.finishedAt ?? null) !== null;
  });
  expect(alerts).toEqual([]);
  expect(await stored()).toEqual([]);
  expect(await database.generations.find(madeInTeam)).toMatchObject({ madeBy: accountId });
});
