import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dayMs } from '@framegate/contract';
import { createNoticeStore } from '../../gateway/src/adapters/mongo/mails/noticeStore.ts';
import { createAttemptStore } from '../../gateway/src/adapters/mongo/signIn/attemptStore.ts';
import { notifyOfHost, notifyOfRevokedKey } from '../../gateway/src/application/mails/notices.ts';
import { createSendNotices, digestMs } from '../../gateway/src/application/mails/sendNotices.ts';
import type { Mail, WrittenMail } from '../../gateway/src/application/ports/mails.ts';
import { usualNotices } from '../../gateway/src/application/ports/notices.ts';
import { codeOf } from '../staff/browse.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { collectLog } from '../support/mongod.ts';
import { addFinished } from './support/addFinished.ts';
import { composeTestMail } from './support/composeTestMail.ts';
import { codeFor, mailsTo } from './support/mailbox.ts';
import { password } from './support/signUpVerified.ts';
import { factorPath, recoveryCodesOn, secretOn } from './support/useSecondFactor.ts';
import { createVisitor } from './support/visitor.ts';
import { paragraphsOf, wordsOf } from './support/wordsOf.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({
    ROLE: 'api',
    SIGNUP_CREDITS: '100',
    SUPPORT_URL: 'mailto:help@example.com',
  });
});
afterAll(async () => {
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

const keysPath = '/settings/public-api';
const emailOf = (language: string) => `${language}@example.com`;

/** A customer's path through the site in one language. @returns Words by the name of the page. */
async function walk(language: string): Promise<Map<string, string[]>> {
  const headers = { 'accept-language': language, accept: 'text/html' };
  const visitor = createVisitor(gateway.origin, headers);
  const email = emailOf(language);
  const pages = new Map<string, string[]>();
  const keep = (name: string, { text }: { text: string }) => pages.set(name, wordsOf(text));
  const see = async (name: string, path: string) => keep(name, await visitor.get(path));

  await see('start', '/');
  await see('no page', '/nothing-here');
  await see('code over', '/confirm/cfm_none');
  await see('link over', '/sign-in/link?token=none');
  await see('sign-up', '/sign-up');
  keep('no address', await visitor.post('/sign-up', { email: 'nobody' }));
  const asked = await visitor.post('/sign-up', { email });
  keep('code of the mail', asked);
  const wrong = { code: '1234', password: 'short' };
  keep('password too short', await visitor.post(asked.path, wrong));
  const code = await codeFor(gateway.dataDir, email);
  const wrongCode = { code: code === '11111111' ? '22222222' : '11111111', password };
  keep('wrong code', await visitor.post(asked.path, wrongCode));
  await visitor.post(asked.path, { code, password });

  const first = await visitor.get(keysPath);
  keep('first key', first);
  keep('key without a name', await visitor.post(`${keysPath}/keys`, { name: '' }));
  const fields = {
    form_key: first.field('form_key'),
    name: 'n8n',
    models: 'image-b-2',
    hosts: 'media.example.net',
    daily_credits: '50',
  };
  keep('new key', await visitor.post(`${keysPath}/keys`, fields));
  const account = await gateway.database.accounts.findByEmail(email);
  const key = `${keysPath}/keys/${account?.keys[0]?.id ?? ''}`;
  await see('keys', keysPath);
  await see('key', key);
  keep('host approved or not', await visitor.post(`${key}/hosts`, { host: 'a.example.org' }));
  keep('limit', await visitor.post(`${key}/limit`, { daily_credits: 'many' }));
  const form_key = (await visitor.get(key)).field('form_key');
  keep('key replaced', await visitor.post(`${key}/rotate`, { form_key, overlap: '24' }));
  await see('keys after that', keysPath);
  keep('key revoked', await visitor.post(`${key}/revoke`));
  await see('credits', '/credits');
  await see('account', '/settings/account');
  keep('wrong password', await visitor.post('/settings/account/password', { password }));
  keep('mails', await visitor.post('/settings/account/mails', { credits_below: '10' }));
  await visitor.post('/settings/account/mails', { keys: 'yes', sign_ins: 'yes' });

  const off = await visitor.get(factorPath);
  keep('second factor', off);
  const secret = secretOn(off);
  const on = { setup: off.field('setup'), current_password: password, code: codeOf(secret) };
  keep('wrong code of the app', await visitor.post(`${factorPath}/on`, { ...on, code: '1' }));
  const turnedOn = await visitor.post(`${factorPath}/on`, on);
  keep('recovery codes', turnedOn);
  const recovery = recoveryCodesOn(turnedOn);
  await see('second factor on', factorPath);

  const other = createVisitor(gateway.origin, headers);
  keep('sign-in', await other.get('/sign-in?next=/credits'));
  keep('wrong sign-in', await other.post('/sign-in', { email, password: 'wrong' }));
  const typed = await other.post('/sign-in', { email, password });
  keep('code after the password', typed);
  const proof = typed.field('proof');
  keep('wrong code after it', await other.post('/sign-in/code', { proof, code: '1' }));
  await other.post('/sign-in/code', { proof, code: recovery[0] ?? '' });
  await see('account with two browsers', '/settings/account');

  await visitor.get(factorPath);
  const confirmed = (index: number) => ({
    current_password: password,
    code: recovery[index] ?? '',
  });
  keep('factor off', await visitor.post(`${factorPath}/off`, confirmed(1)));
  keep('forgotten', await visitor.get('/forgotten-password'));
  const reset = await visitor.post('/forgotten-password', { email });
  keep('new password', reset);
  const response = {
    code: await codeFor(gateway.dataDir, email),
    password: 'battery horse correct',
  };
  await visitor.post(reset.path, response);

  const third = createVisitor(gateway.origin, headers);
  await third.get('/sign-up');
  await third.post('/sign-up', { email });
  keep('sent without a sign-in', await third.post(`${keysPath}/keys`, { name: 'late' }));
  keep('stale form', await createVisitor(gateway.origin, headers).post('/sign-in', { email }));
  return pages;
}

/** Words that are the same in both languages. */
const shared = [
  /^(Framegate|Framegate API|Credits|Credits · Framegate|Code|Name|Hosts|Browser|API Key|Base URL|Team|Studio|n8n|Zapier|Node-RED|Activepieces|curl|TypeScript|Python)$/,
  /^n8n\b|^(Alpha|Beta|Image|Gamma|Delta) |^image-b-2$/,
  // Names of languages, addresses, and names given by a person or program.
  /^(English|Deutsch)$|^\S+\.example(\.\w+)?$|^[“„]n8n[”“]$/,
  /^fg_live_|^MB$|^UTC$/,
];

test('a German browser sees no English sentence on a page', async () => {
  const [english, german] = [await walk('en'), await walk('de')];
  const left = [...german].flatMap(([page, words]) => {
    const known = new Set(english.get(page));
    return words
      .filter((each) => known.has(each) && !shared.some((pattern) => pattern.test(each)))
      .map((each) => `${page}: ${each}`);
  });
  expect(left).toEqual([]);

  // The emails of the same path.
  const mails = async (language: string) =>
    (await mailsTo(gateway.dataDir, emailOf(language))).map(({ text }) => paragraphsOf(text));
  const [inEnglish, inGerman] = [await mails('en'), await mails('de')];
  expect(inEnglish.flat()).toContain('Your Framegate password was changed');
  expect(inGerman.flat()).toContain('Dein Passwort für Framegate wurde geändert');
  expect(inGerman.flat()).toContain('Fragen? Support kontaktieren: help@example.com');
  expect(inGerman.length).toBe(inEnglish.length);
  expect(inGerman.length).toBeGreaterThanOrEqual(10);
  for (const [at, paragraphs] of inGerman.entries()) {
    expect(paragraphs.length).toBeGreaterThan(1);
    expect(paragraphs.filter((each) => inEnglish[at]?.includes(each))).toEqual([]);
  }
});

test('emails of workers and staff use the language of the sign-up', async () => {
  const { database, models, collections, clock } = gateway;
  const notices = createNoticeStore(models, collections);
  const mails: WrittenMail[] = [];
  const deps = {
    notices,
    database,
    clock,
    attempts: createAttemptStore(collections),
    outputsKeptMs: 7 * dayMs,
    sendMail: async (mail: Mail) => void mails.push(composeTestMail(mail)),
  };
  const news = createSendNotices({ ...deps, log: collectLog().log });
  const { signal } = new AbortController();
  const tell = async (language: string) => {
    const account = await database.accounts.findByEmail(emailOf(language));
    const accountId = account?.id ?? '';
    const keyId = account?.keys[0]?.id ?? '';
    await notices.choose(
      accountId,
      { ...usualNotices, changedKinds: ['ends'], creditsBelow: 1_000 },
      0,
    );
    await notifyOfHost(deps, { keyId, rule: 'a.example', isApproved: true });
    await notifyOfHost(deps, { keyId, rule: 'b.example', isApproved: false });
    await notifyOfRevokedKey(deps, keyId);
    await addFinished(gateway, accountId, { prompt: '1' });
    await createSendNotices({ ...deps, log: collectLog().log })(signal);
    const failure = { code: 'generation_failed' } as never;
    await addFinished(gateway, accountId, { prompt: '2', status: 'failed', failure, outputs: [] });
    await addFinished(gateway, accountId, { prompt: '3' });
    const later = { ...clock, now: () => clock.now() + digestMs };
    await createSendNotices({ ...deps, clock: later, log: collectLog().log })(signal);
    return mails
      .splice(0)
      .flatMap(({ subject, html }) => [
        subject,
        ...wordsOf(html).filter((words) => words !== 'Framegate'),
      ]);
  };
  await news(signal);
  const [english, german] = [await tell('en'), await tell('de')];
  expect(english).toContain('Input host approved: a.example');
  expect(german).toContain('Host freigegeben: a.example');
  expect(german).toContain('Aufträge: 1 fertig, 1 fehlgeschlagen und erstattet');
  expect(german.length).toBe(english.length);
  expect(german.filter((each) => /\p{L}{2}/u.test(each) && english.includes(each))).toEqual([]);
});
