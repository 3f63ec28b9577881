import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { changeAccount, targetById } from '../../gateway/src/application/accounts/changeAccount.ts';
import type { PasskeyProblem } from '../../gateway/src/domain/signIn/passkey.ts';
import { needsProof } from '../../gateway/src/domain/staff/staffProofs.ts';
import { text } from '../../gateway/src/texts/text.ts';
import { mailsTo } from '../site/support/mailbox.ts';
import { type Asked, askedIn, makeAuthenticator, type Twist } from '../support/authenticator.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import {
  addStaff,
  type Browser,
  codeOf,
  enrolStaff,
  givePasskey,
  openBrowser,
  openLink,
  type Page,
} from './browse.ts';

let gateway: TestGateway;
let strict: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
  strict = await startTestGateway({
    ROLE: 'api',
    STAFF_FACTOR: 'passkey',
    ACCOUNT_URL: 'http://localhost:1',
  });
});
afterAll(async () => {
  await gateway.stop();
  await strict.stop();
  expect([...gateway.errors, ...strict.errors]).toEqual([]);
});

const sentence = (problem: PasskeyProblem) => text(`refusals.passkey_${problem}`);
const reason = 'a test';
const made = async ({ accountId }: { accountId: string }, of = gateway) => {
  const { passkeys } = of.collections;
  return passkeys.find({ accountId }).toArray();
};
const problemOn = ({ html }: Page) =>
  /autofocus role="alert">([^<]*)/.exec(html)?.[1]?.replaceAll('&#39;', "'");
const askedBy = (page: Page, form: string): Asked => {
  const found = askedIn(page.html).get(form);
  if (!found) throw new Error(`the page has no form for ${form}`);
  return found.asked;
};

/** An account without credits, and the form that gives it some. */
async function goodwill() {
  const account = await gateway.addAccount({ credits: 0 });
  const path = `/staff/accounts/${account.accountId}/goodwill`;
  const given = async () => (await account.get('/v1/credits/balance')).json['available'];
  return { path, fields: { amount: '10', reason }, given };
}

async function signIn(browser: Browser, fields: Record<string, string>): Promise<Page> {
  await browser.get('/staff/sign-in');
  return browser.send('/staff/sign-in', fields);
}

/** Enrols by a link with a passkey alone. */
async function enrolWithPasskey(on: TestGateway, origin = on.origin) {
  const person = await addStaff(on, 'admin');
  const link = await person.link();
  const browser = openBrowser(on.origin);
  const page = await openLink(browser, link);
  const passkey = makeAuthenticator();
  const done = await browser.send('/staff/enrol', {
    token: link.split('#')[1] ?? '',
    password: person.password,
    name: 'Laptop',
    passkey: passkey.make(askedBy(page, '/staff/enrol'), origin),
  });
  browser.passkey = passkey;
  return { ...person, browser, passkey, page, done };
}

describe('a passkey', () => {
  test('enrols by the link, signs in with the password, and replaces every former factor', async () => {
    const { done, email, password, passkey, accountId, link } = await enrolWithPasskey(gateway);
    expect([done.status, done.location]).toEqual([303, '/staff']);
    const again = openBrowser(gateway.origin);
    again.passkey = passkey;
    expect((await signIn(again, { email, password })).location).toBe('/staff');
    expect(await made({ accountId })).toMatchObject([
      { name: 'Laptop', lastUsedAt: expect.any(Date) },
    ]);
    const [mail] = await mailsTo(gateway.dataDir, email);
    expect(mail).toMatchObject({ subject: 'New passkey for the Framegate console' });

    const second = await link();
    const page = await openLink(again, second);
    const secret = (/id="secret">([^<]+)</.exec(page.html)?.[1] ?? '').replaceAll(' ', '');
    const app = { token: second.split('#')[1] ?? '', password, code: codeOf(secret) };
    expect((await again.send('/staff/enrol', app)).location).toBe('/staff');
    expect(await made({ accountId })).toEqual([]);
  });

  test('needs the password, and does not reveal whether it was correct', async () => {
    const { email, password, browser } = await enrolStaff(gateway, 'support');
    const other = await enrolStaff(gateway, 'support');
    const visitor = openBrowser(gateway.origin);
    visitor.passkey = browser.passkey;
    const wrong = await signIn(visitor, { email, password: 'not it' });
    expect(problemOn(wrong)).toBe('Wrong email, password or code.');
    visitor.passkey = other.browser.passkey;
    for (const typed of [password, 'not it']) {
      const refused = await signIn(visitor, { email, password: typed });
      expect([refused.status, problemOn(refused)]).toEqual([403, sentence('of_another')]);
      const none = await signIn(visitor, { email, password: typed, code: '' });
      expect(problemOn(none)).toMatch(/^Enter a code from your app, or use your passkey/);
    }
    await gateway.collections.passkeys.deleteMany({ accountId: other.accountId });
    expect(problemOn(await signIn(visitor, { email, password }))).toBe(sentence('unregistered'));
  });

  const twists: readonly (readonly [PasskeyProblem, Twist])[] = [
    ['origin', { origin: 'https://evil.example' }],
    ['site', { rpId: 'evil.example' }],
    ['unconfirmed', { isVerified: false }],
    ['counter', { counter: 3 }],
    ['counter', { counter: 2 }],
    ['counter', { counter: 0 }],
    ['unregistered', { id: 'c29tZWJvZHk' }],
  ];
  test.each(twists)('is refused where its response is wrong: %s', async (problem, twist) => {
    const { browser } = await enrolStaff(gateway, 'admin');
    const { path, fields, given } = await goodwill();
    const use = async (of: Twist) =>
      browser.passkey?.use(askedBy(await browser.get(path), path), gateway.origin, of) ?? '';
    const counted = await use({ counter: 3 });
    expect((await browser.send(path, { ...fields, passkey: counted })).status).toBe(303);
    const passkey = await use({ counter: 4, ...twist });
    const refused = await browser.send(path, { ...fields, passkey });
    expect([refused.status, problemOn(refused)]).toEqual([409, sentence(problem)]);
    expect(await given()).toBe(10);
  });

  test('of another person, or with another key, confirms nothing', async () => {
    const { browser } = await enrolStaff(gateway, 'admin');
    const other = await enrolStaff(gateway, 'admin');
    const { path, fields, given } = await goodwill();
    const own = browser.passkey;
    const forged = makeAuthenticator();
    for (const [passkey, twist, words] of [
      [other.browser.passkey, {}, sentence('of_another')],
      [forged, { id: own?.id ?? '' }, sentence('invalid')],
      [forged, {}, sentence('unregistered')],
    ] as const) {
      const page = await browser.get(path);
      const response = passkey?.use(askedBy(page, path), gateway.origin, twist) ?? '';
      expect(problemOn(await browser.send(path, { ...fields, passkey: response }))).toBe(words);
    }
    for (const passkey of ['{}', 'null', '[1]', '{"id":"x","response":{}}', 'x'.repeat(9_000)]) {
      await browser.get(path);
      expect((await browser.send(path, { ...fields, passkey })).status).toBe(409);
    }
    expect(await given()).toBe(0);
  });

  test('signs a challenge once, for one form of one session', async () => {
    const { browser, email, password, secret } = await enrolStaff(gateway, 'admin');
    const here = await goodwill();
    const there = await goodwill();
    const page = await browser.get(here.path);
    const asked = askedBy(page, here.path);
    const respond = () => ({ passkey: browser.passkey?.use(asked, gateway.origin) ?? '' });
    const elsewhere = await browser.send(there.path, { ...there.fields, ...respond() });
    expect(problemOn(elsewhere)).toBe(sentence('expired'));
    const second = openBrowser(gateway.origin);
    await signIn(second, { email, password, code: codeOf(secret, 1) });
    await second.get(here.path);
    const inSession = await second.send(here.path, { ...here.fields, ...respond() });
    expect(problemOn(inSession)).toBe(sentence('expired'));

    await browser.get(here.path);
    expect((await browser.send(here.path, { ...here.fields, ...respond() })).status).toBe(303);
    await browser.get(here.path);
    const replayed = await browser.send(here.path, { ...here.fields, ...respond() });
    expect(problemOn(replayed)).toBe(sentence('expired'));
    expect([await here.given(), await there.given()]).toEqual([10, 0]);

    const late = Buffer.from(`1.x.${'x'.repeat(43)}`).toString('base64url');
    await browser.get(here.path);
    const passkey = browser.passkey?.use({ ...asked, challenge: late }, gateway.origin) ?? '';
    const forged = await browser.send(here.path, { ...here.fields, passkey });
    expect(problemOn(forged)).toBe(sentence('expired'));
  });
});

describe('acts that move credits or erase', () => {
  test('require a proof each time, even right after the sign-in, and use up a code of the app', async () => {
    const { browser, secret, usedCode } = await enrolStaff(gateway, 'admin');
    browser.passkey = null;
    const { path, fields, given } = await goodwill();
    await browser.get(path);
    const bare = await browser.send(path, fields);
    expect([bare.status, problemOn(bare)]).toEqual([
      409,
      'Enter a code from your app, or use your passkey. Nothing was done.',
    ]);
    const code = codeOf(secret, 1);
    const statuses: number[] = [];
    for (const typed of [usedCode, code, code]) {
      await browser.get(path);
      statuses.push((await browser.send(path, { ...fields, code: typed })).status);
    }
    expect(statuses).toEqual([409, 303, 409]);
    expect(await given()).toBe(10);
  });

  test('are refused and logged without a proof, whichever they are', async () => {
    const { browser, accountId } = await enrolStaff(gateway, 'admin');
    browser.passkey = null;
    const { accountId: target } = await gateway.addAccount();
    const slugs = ['goodwill', 'grant', 'adjust', 'remove-second-factor', 'erase'];
    for (const slug of slugs) {
      const path = `/staff/accounts/${target}/${slug}`;
      expect(askedIn((await browser.get(path)).html).has(path)).toBe(true);
      const form = { reason, amount: '1', kind: 'purchased', confirm: target };
      expect([slug, (await browser.send(path, form)).status]).toEqual([slug, 409]);
    }
    await browser.get(`/staff/accounts/${target}`);
    const chosen = { reason, give: `${target} 1` };
    const many = await browser.send('/staff/goodwill', chosen);
    expect(many.html).toContain('use your passkey');
    const { staffAudit } = gateway.collections;
    const log = await staffAudit.find({ accountId, targets: target }).toArray();
    expect(log.map(({ outcome }) => outcome)).toEqual([...slugs, 'many'].map(() => 'refused'));
    expect(log.every(({ action }) => needsProof[action as keyof typeof needsProof])).toBe(true);
  });
});

describe("a person's passkeys", () => {
  test('are added after a proof, listed with their use, and removed with all sessions', async () => {
    const { browser, email, password, accountId } = await enrolStaff(gateway, 'support');
    const elsewhere = openBrowser(gateway.origin);
    elsewhere.passkey = browser.passkey;
    await signIn(elsewhere, { email, password });
    const first = browser.passkey;
    await browser.get('/staff/passkeys');
    const making = await browser.send('/staff/passkeys/begin', { name: 'Phone' });
    const phone = makeAuthenticator();
    const make = '/staff/passkeys/make';
    const response = phone.make(askedBy(making, make), gateway.origin);
    expect((await browser.send(make, { name: 'Phone', passkey: response })).location).toBe(
      '/staff/passkeys',
    );
    const { html } = await browser.get('/staff/passkeys');
    expect(html).toMatch(/<td>Phone<\/td>[^]*<td>never<\/td>/);
    expect((await elsewhere.get('/staff')).status).toBe(200);

    const gone = await browser.send('/staff/passkeys/remove', { id: first?.id ?? '' });
    expect(gone.location).toBe('/staff/sign-in');
    expect(await made({ accountId })).toMatchObject([{ _id: phone.id, name: 'Phone' }]);
    for (const each of [browser, elsewhere]) expect((await each.get('/staff')).status).toBe(303);
    expect(problemOn(await signIn(elsewhere, { email, password }))).toBe(sentence('unregistered'));
    elsewhere.passkey = phone;
    expect((await signIn(elsewhere, { email, password })).location).toBe('/staff');
  });

  test('cannot be added with only a session, or twice', async () => {
    const { browser, accountId } = await enrolStaff(gateway, 'admin');
    const own = browser.passkey;
    browser.passkey = null;
    await browser.get('/staff/passkeys');
    const refused = await browser.send('/staff/passkeys/begin', { name: 'Thief' });
    expect([refused.status, askedIn(refused.html).has('/staff/passkeys/make')]).toEqual([
      409,
      false,
    ]);
    const { asked } = askedIn(refused.html).get('/staff/passkeys/begin') ?? {};
    const passkey = makeAuthenticator().make(
      { ...asked, challenge: asked?.challenge ?? '', rp: { id: '127.0.0.1' } },
      gateway.origin,
    );
    const forged = await browser.send('/staff/passkeys/make', { name: 'Thief', passkey });
    expect(problemOn(forged)).toBe(sentence('expired'));

    browser.passkey = own;
    await browser.get('/staff/passkeys');
    const making = await browser.send('/staff/passkeys/begin', { name: 'Again' });
    const again = own?.make(askedBy(making, '/staff/passkeys/make'), gateway.origin) ?? '';
    const twice = await browser.send('/staff/passkeys/make', { name: 'Again', passkey: again });
    expect(problemOn(twice)).toBe(sentence('taken'));
    expect(await made({ accountId })).toHaveLength(1);
  });

  test('cannot be removed by another person, nor if one is the only factor', async () => {
    const { browser, accountId, passkey } = await enrolWithPasskey(gateway);
    const other = await enrolStaff(gateway, 'admin');
    await other.browser.get('/staff/passkeys');
    const foreign = await other.browser.send('/staff/passkeys/remove', { id: passkey.id });
    expect(problemOn(foreign)).toBe('You do not have this passkey.');
    await browser.get('/staff/passkeys');
    const last = await browser.send('/staff/passkeys/remove', { id: passkey.id });
    expect(problemOn(last)).toMatch(/^This is your only factor/);
    expect(await made({ accountId })).toHaveLength(1);
  });

  test('end with all other access when the address moves to another person', async () => {
    const { accountId, browser } = await enrolStaff(gateway, 'support');
    const { database, collections } = gateway;
    await changeAccount(database, targetById(database, accountId), (account) => ({
      after: { ...account, email: `${randomUUID()}@example.com` },
      ends: { by: 'move the email' },
    }));
    expect(await made({ accountId })).toEqual([]);
    expect(await collections.staffFactors.countDocuments({ _id: accountId })).toBe(0);
    expect((await browser.get('/staff')).status).toBe(303);
  });
});

describe('STAFF_FACTOR=passkey', () => {
  const origin = 'http://localhost:1';

  test('offers only a passkey, and accepts no code anywhere', async () => {
    const { page, done, browser, email, password, accountId } = await enrolWithPasskey(
      strict,
      origin,
    );
    expect([page.html.includes('id="secret"'), done.location]).toEqual([false, '/staff']);
    const target = await strict.addAccount({ credits: 0 });
    const path = `/staff/accounts/${target.accountId}/goodwill`;
    const form = await browser.get(path);
    expect(form.html).not.toContain('name="code"');
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    const codes = { email, password, code: codeOf(secret) };
    for (const [at, from] of [
      [path, browser],
      ['/staff/sign-in', openBrowser(strict.origin)],
    ] as const) {
      from.passkey = null;
      await from.get(at);
      const refused = await from.send(at, { ...codes, amount: '10', reason });
      expect([at, problemOn(refused)]).toEqual([at, 'Use your passkey. Nothing was done.']);
    }
    expect(await made({ accountId }, strict)).toHaveLength(1);
  });

  test('enrols no one with an app', async () => {
    const person = await addStaff(strict, 'admin');
    const link = await person.link();
    const browser = openBrowser(strict.origin);
    await openLink(browser, link);
    const fields = { token: link.split('#')[1] ?? '', password: person.password, code: '123456' };
    expect(problemOn(await browser.send('/staff/enrol', fields))).toBe(
      'Use your passkey. Nothing was done.',
    );
    expect(await givePasskey(strict, person.accountId)).toBeDefined();
  });
});
