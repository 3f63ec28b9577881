import { beforeAll, describe, expect, test } from '@jest/globals';
import { dayMs, minuteMs, sum } from '@framegate/contract';
import { createNoticeStore } from '../../gateway/src/adapters/mongo/mails/noticeStore.ts';
import { createAttemptStore } from '../../gateway/src/adapters/mongo/signIn/attemptStore.ts';
import {
  type NoticeKind,
  notifyOfHost,
  notifyOfRevokedKey,
} from '../../gateway/src/application/mails/notices.ts';
import { createSendNotices, digestMs } from '../../gateway/src/application/mails/sendNotices.ts';
import type { Mail, WrittenMail } from '../../gateway/src/application/ports/mails.ts';
import { usualNotices } from '../../gateway/src/application/ports/notices.ts';
import { collectLog } from '../support/mongod.ts';
import { profile } from '../support/profile.ts';
import { addFinished } from './support/addFinished.ts';
import { composeTestMail } from './support/composeTestMail.ts';
import { mailsTo } from './support/mailbox.ts';
import { password } from './support/signUpVerified.ts';
import { useStudio } from './support/useStudio.ts';
import { createVisitor, type Visitor } from './support/visitor.ts';

const studio = useStudio();
let visitor: Visitor;
const email = 'studio@example.com';

beforeAll(() => {
  ({ visitor } = studio());
});

const subjects = async () =>
  (await mailsTo(studio().gateway.dataDir, email)).map((each) => each.subject);
/** Chooses these emails and no others. */
async function choose(wanted: readonly NoticeKind[], below = '') {
  await visitor.get('/settings/account');
  const fields = Object.fromEntries(wanted.map((kind) => [kind, 'yes']));
  return visitor.post('/settings/account/mails', { ...fields, credits_below: below });
}

describe('emails that an owner can turn off', () => {
  test('are chosen on the page of the account; codes and passwords are not among them', async () => {
    const page = await visitor.get('/settings/account');
    const checked = [...page.text.matchAll(/name="(\w+)" value="yes" checked/g)].map(
      ([, name]) => name,
    );
    expect(checked).toEqual(['files', 'credits', 'hosts', 'keys', 'sign_ins']);
    const saved = await choose(['ends', 'keys'], '50');
    expect(saved.text).toContain('Email preferences saved.');
    const after = [...saved.text.matchAll(/name="(\w+)" value="yes" checked/g)].map(
      ([, name]) => name,
    );
    expect(after).toEqual(['ends', 'keys']);
    expect(saved.field('credits_below')).toBe('50');
    expect((await choose([], 'many')).text).toContain('t a whole number');
    await choose(['files', 'credits', 'hosts', 'keys', 'sign_ins']);
  });

  test('report a sign-in only from a browser new to the account', async () => {
    const before = (await subjects()).length;
    const other = createVisitor(studio().gateway.origin);
    const signIn = async () => {
      await other.get('/sign-in');
      await other.post('/sign-in', { email, password });
    };
    await signIn();
    expect((await subjects()).slice(before)).toEqual(['New sign-in to your account']);
    await signIn();
    expect((await subjects()).length).toBe(before + 1);
    await choose(['keys']);
    const third = createVisitor(studio().gateway.origin);
    await third.get('/sign-in');
    await third.post('/sign-in', { email, password });
    expect((await subjects()).length).toBe(before + 1);
  });

  test('report a created, replaced or revoked key once per form', async () => {
    const before = (await subjects()).length;
    const page = await visitor.get('/settings/public-api');
    const fields = { form_key: page.field('form_key'), name: 'n8n', models: 'image-b-2' };
    await visitor.post('/settings/public-api/keys', fields);
    await visitor.post('/settings/public-api/keys', fields);
    const account = await studio().gateway.database.accounts.findByEmail(email);
    const id = account?.keys[0]?.id ?? '';
    const form_key = (await visitor.get('/settings/public-api')).field('form_key');
    await visitor.post(`/settings/public-api/keys/${id}/rotate`, { form_key, overlap: '1' });
    await visitor.post(`/settings/public-api/keys/${id}/revoke`);
    expect((await subjects()).slice(before)).toEqual([
      'New API key: n8n',
      'API key replaced: n8n',
      'API key revoked: n8n',
    ]);
    const [mail] = (await mailsTo(studio().gateway.dataDir, email)).slice(-1);
    expect(mail?.text).toContain('Content-Type: text/html');
    expect(mail?.text).not.toContain('fg_live_');
  });

  test('are limited to ten of one kind an hour', async () => {
    const { attempts } = studio().gateway.collections;
    await attempts.deleteMany({});
    const before = (await subjects()).length;
    for (let count = 0; count < 12; count += 1) {
      const form_key = (await visitor.get('/settings/public-api')).field('form_key');
      const fields = { form_key, name: `burst ${count}`, models: 'image-b-2' };
      await visitor.post('/settings/public-api/keys', fields);
    }
    expect((await subjects()).length).toBe(before + 10);
  });
});

test('report decisions of staff about hosts and keys', async () => {
  const { database, models, collections, clock } = studio().gateway;
  const { accountId } = studio();
  const mails: WrittenMail[] = [];
  const notices = createNoticeStore(models, collections);
  const deps = {
    notices,
    database,
    clock,
    attempts: createAttemptStore(collections),
    sendMail: async (mail: Mail) => void mails.push(composeTestMail(mail)),
  };
  const [key] = (await database.accounts.find(accountId))?.keys ?? [];
  const keyId = key?.id ?? '';
  await collections.attempts.deleteMany({});
  await notices.choose(accountId, usualNotices, 0);
  await notifyOfHost(deps, { keyId, rule: 'a.example', isApproved: true });
  await notifyOfHost(deps, { keyId, rule: 'b.example', isApproved: false });
  await notifyOfRevokedKey(deps, keyId);
  await notices.choose(accountId, { ...usualNotices, changedKinds: ['hosts'] }, 0);
  await notifyOfHost(deps, { keyId, rule: 'c.example', isApproved: true });
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Input host approved: a.example',
    'Input host refused: b.example',
    'API key revoked: n8n',
  ]);
});

/** A round of emails at a separate time. */
function useNews(keptMs = 7 * dayMs) {
  const { database, collections, models, clock } = studio().gateway;
  const mails: WrittenMail[] = [];
  let ahead = 0;
  const notices = createNoticeStore(models, collections);
  const { log, lines } = collectLog();
  const round = createSendNotices({
    notices,
    database,
    clock: { ...clock, now: () => clock.now() + ahead },
    log,
    outputsKeptMs: keptMs,
    sendMail: async (mail) => void mails.push(composeTestMail(mail)),
  });
  return {
    notices,
    lines,
    async round(later = 0) {
      ahead += later;
      await round(new AbortController().signal);
      return mails.splice(0);
    },
  };
}

describe('ends', () => {
  test('are sent once, a burst in one email, and earlier events are not mailed', async () => {
    const { gateway, accountId } = studio();
    const earlier = await addFinished(gateway, accountId, { prompt: 'made before' });
    await choose(['ends']);
    const news = useNews();
    expect(await news.round()).toEqual([]);
    await addFinished(gateway, accountId, { prompt: 'A quiet place' });
    const [one] = await news.round();
    expect(one?.subject).toBe('Your images are ready');
    expect(one?.text).toContain('A quiet place');
    expect(await news.round()).toEqual([]);
    for (let count = 0; count < 30; count += 1) {
      await addFinished(gateway, accountId, { prompt: `One of many, ${count}` });
    }
    const failure = { code: 'generation_failed' } as never;
    await addFinished(gateway, accountId, {
      prompt: 'Bad',
      status: 'failed',
      failure,
      outputs: [],
    });
    // The next email waits and contains all of them.
    expect(await news.round(digestMs - minuteMs)).toEqual([]);
    const [digest, ...more] = await news.round(minuteMs);
    expect(digest?.subject).toBe('Generations: 30 finished, 1 failed and refunded');
    expect(digest?.text).toContain('And 21 more.');
    expect(digest?.text).not.toContain('made before');
    expect(more).toEqual([]);
    expect(await news.round(digestMs)).toEqual([]);
    expect(news.lines).toEqual([]);
    expect(earlier).toMatch(/^gen_/);
  });

  test('of a running generation are sent when it ends, however late', async () => {
    const { gateway, accountId } = studio();
    const { generations } = gateway.collections;
    const news = useNews();
    await news.round(digestMs);
    const open = { status: 'processing', step: 'submitted', endedAt: null } as const;
    const id = await addFinished(gateway, accountId, { ...open, prompt: 'A slow one' });
    await addFinished(gateway, accountId, { prompt: 'A quick one' });
    expect((await news.round(digestMs))[0]?.text).toContain('A quick one');
    await generations.updateOne(
      { _id: id },
      { $set: { status: 'completed', step: 'ended', endedAt: new Date(), open: false } },
    );
    const [late] = await news.round(dayMs);
    expect(late?.text).toContain('A slow one');
  });

  test('are sent again if the process is killed before it records them', async () => {
    const { gateway, accountId } = studio();
    const { collections } = gateway;
    const news = useNews();
    await news.round(2 * dayMs);
    const id = await addFinished(gateway, accountId, { prompt: 'Told twice at worst' });
    expect(await news.round(digestMs)).toHaveLength(1);
    await collections.generations.updateOne({ _id: id }, { $unset: { isEndNotified: true } });
    expect((await news.round(digestMs))[0]?.text).toContain('Told twice at worst');
  });
});

describe('credits', () => {
  test('that run low are reported once, and again after a refill', async () => {
    const { accountId, gateway } = studio();
    const news = useNews();
    const { accounts } = gateway.collections;
    const set = (remaining: number) =>
      accounts.updateOne({ _id: accountId }, { $set: { 'lots.0.remaining': remaining } });
    await news.notices.choose(accountId, { ...usualNotices, creditsBelow: 100 }, 0);
    expect(await news.round()).toEqual([]);
    await set(99);
    expect((await news.round(600_000)).map(({ subject }) => subject)).toEqual(['99 credits left']);
    expect(await news.round(600_000)).toEqual([]);
    await set(500);
    expect(await news.round(600_000)).toEqual([]);
    await set(1);
    expect(await news.round(600_000)).toHaveLength(1);
    await news.notices.choose(accountId, usualNotices, 0);
  });

  test('that expire within a week are reported once for each expiry, to owners who want it', async () => {
    const { accountId, gateway } = studio();
    const { accounts } = gateway.collections;
    const news = useNews();
    const expiresAt = new Date(Date.now() + 5 * dayMs);
    const expiring = { 'lots.0.expiresAt': expiresAt, nextExpiryAt: expiresAt };
    await accounts.updateOne({ _id: accountId }, { $set: expiring });
    await news.notices.choose(accountId, { ...usualNotices, changedKinds: ['credits'] }, 0);
    expect(await news.round()).toEqual([]);
    await news.notices.choose(accountId, usualNotices, 0);
    const [mail] = await news.round(600_000);
    expect(mail?.subject).toBe('1 credit about to expire');
    expect(await news.round(600_000)).toEqual([]);
  });
});

describe('files that will be deleted', () => {
  /** A result whose files are deleted on the day in two days. */
  async function addExpiring(more: Parameters<typeof addFinished>[2] = {}) {
    const { gateway, accountId } = studio();
    const nowMs = gateway.clock.now();
    const outputsRemoveAt = Math.floor(nowMs / dayMs) * dayMs + 2.5 * dayMs;
    const endedAt = outputsRemoveAt - 7 * dayMs;
    return addFinished(gateway, accountId, { endedAt, outputsRemoveAt, ...more });
  }
  const sentNow = async (keptMs?: number) =>
    (await useNews(keptMs).round()).map(({ subject }) => subject);

  beforeAll(async () => {
    const { gateway, accountId } = studio();
    const { collections, models } = gateway;
    await collections.generations.deleteMany({});
    await createNoticeStore(models, collections).choose(accountId, usualNotices, 0);
  });

  test('of a short retention are not reported', async () => {
    await addExpiring({ endedAt: Date.now() - dayMs });
    expect(await sentNow(3 * dayMs - 1_000)).toEqual([]);
    await studio().gateway.collections.generations.deleteMany({});
  });

  test('are counted in one email a day, for results of the studio and favourites', async () => {
    const { gateway } = studio();
    const { clock } = gateway;
    const keyId = 'key_1';
    await addExpiring();
    await addExpiring({ channel: 'api', keyId, isFavourite: true });
    // Programs fetch their own; the others are deleted on another day, or already are.
    await addExpiring({ channel: 'api', keyId });
    await addExpiring({ outputsRemoveAt: clock.now() + 6 * dayMs });
    await addExpiring({ deletedAt: clock.now() });
    await addExpiring({ outputsRemovedAt: clock.now() });
    const news = useNews();
    const [mail, ...more] = await news.round();
    const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(
      clock.now() + 2 * dayMs,
    );
    expect([mail?.subject, more]).toEqual([`4 files will be deleted on ${day}`, []]);
    expect(mail?.text).toContain('/history');
    // Neither the same process nor another one repeats it.
    expect(await news.round(dayMs / 1_000)).toEqual([]);
    expect(await sentNow()).toEqual([]);
    await addExpiring();
    expect(await sentNow()).toEqual([]);
  });

  test('are reported on each day for the same day ahead', async () => {
    const { gateway } = studio();
    const endedAt = gateway.clock.now() - 4 * dayMs;
    await addExpiring({ endedAt, outputsRemoveAt: endedAt + 7 * dayMs });
    const news = useNews();
    expect(await news.round()).toEqual([]);
    const [mail] = await news.round(dayMs);
    expect(mail?.subject).toMatch(/^2 files will be deleted on /);
  });

  test('are reported again if the process is killed before it records them, but never to owners who turned it off', async () => {
    const { gateway, accountId } = studio();
    const { notices } = gateway.collections;
    const forget = () =>
      notices.updateOne({ _id: accountId }, { $set: { filesUntil: new Date(0) } });
    await forget();
    expect(await sentNow()).toHaveLength(1);
    await forget();
    await choose(['ends']);
    expect(await sentNow()).toEqual([]);
    await choose(['files']);
    expect(await sentNow()).toHaveLength(1);
  });

  test('read the day of their ends by its index', async () => {
    const { db, models, collections, clock } = studio().gateway;
    const from = Math.floor(clock.now() / dayMs) * dayMs + 2 * dayMs;
    const store = createNoticeStore(models, collections);
    const read = await profile(db, ['generations'], async () => {
      const window = { from, until: from + dayMs, keptMs: 7 * dayMs };
      for await (const page of store.listFilesToDelete(window)) expect(page).toHaveLength(1);
    });
    const kept = await collections.generations.countDocuments({
      endedAt: { $gte: new Date(from - 7 * dayMs), $lt: new Date(from - 6 * dayMs) },
    });
    expect(read.map(({ plan }) => plan).join()).toContain('ended');
    expect(sum(read.map(({ documents }) => documents))).toBeLessThanOrEqual(kept);
  });
});
