import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { attemptLimits } from '../../gateway/src/application/signIn/attempts.ts';
import { codeFor, mailsTo } from '../site/support/mailbox.ts';
import { password, signUpVerified } from '../site/support/signUpVerified.ts';
import { createVisitor, type Page, type Visitor } from '../site/support/visitor.ts';
import { codeOf, enrolStaff, openBrowser } from '../staff/browse.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

/*
 * The attack: a stranger sends wrong passwords, wrong codes or requests for a new password in the name of
 * someone else, so that the limits against guessing shut the owner out.
 */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api', TRUST_PROXY: '1' });
});
afterAll(() => gateway.stop());

const from = (address: string) => ({ 'x-forwarded-for': address });
const browserAt = (address: string) => createVisitor(gateway.origin, from(address));

/** Addresses of which each counts for itself. */
const addresses = (count: number) => Array.from({ length: count }, (_, n) => `2001:db8:${n}::1`);

async function signIn(visitor: Visitor, email: string, secret: string): Promise<Page> {
  await visitor.get('/sign-in');
  return visitor.post('/sign-in', { email, password: secret });
}

/** Signs in wrongly from an address until it has to wait. */
async function exhaust(email: string, address: string): Promise<void> {
  const stranger = browserAt(address);
  await stranger.get('/sign-in');
  for (let attempts = 0; attempts < attemptLimits.signInPair.max; attempts += 1) {
    const { status } = await stranger.post('/sign-in', { email, password: 'wrong one' });
    expect(status).toBe(400);
  }
  const late = await stranger.post('/sign-in', { email, password });
  expect([late.status, late.field('email')]).toEqual([429, email]);
  expect(late.text).toMatch(/Wait \d+ minutes/);
}

async function askForPassword(visitor: Visitor, email: string): Promise<Page> {
  await visitor.get('/forgotten-password');
  return visitor.post('/forgotten-password', { email });
}

test('wrong passwords from one address stop that address, and not the owner elsewhere', async () => {
  const email = 'one@example.com';
  await signUpVerified(browserAt('192.0.2.1'), gateway.dataDir, email);
  await exhaust(email, '198.51.100.1');
  expect((await signIn(browserAt('192.0.2.2'), email, password)).path).toBe('/studio');
});

describe('wrong passwords from many addresses', () => {
  const email = 'many@example.com';
  const home = '192.0.2.10';
  let known: Visitor;
  beforeAll(async () => {
    known = browserAt(home);
    await signUpVerified(known, gateway.dataDir, email);
    const { signInAccount, signInPair } = attemptLimits;
    for (const address of addresses(signInAccount.max / signInPair.max)) {
      await exhaust(email, address);
    }
  });

  test('hold up browsers new to the account, which see an alternative', async () => {
    const page = await signIn(browserAt('192.0.2.11'), email, password);
    expect(page.status).toBe(429);
    expect(page.text).toContain('after resetting your password by email');
  });

  test('do not hold up a browser in which the owner has signed in before', async () => {
    await known.post('/sign-out');
    expect((await signIn(known, email, password)).path).toBe('/studio');
  });

  test('the mark of a browser is valid only for its account, and cannot be forged', async () => {
    const mark = known.cookies.get('fg_browser') ?? '';
    expect(mark).not.toBe('');
    const other = 'other@example.com';
    await signUpVerified(browserAt(home), gateway.dataDir, other);
    for (const forged of [
      mark.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A')),
      'a~b',
      '~',
    ]) {
      const stranger = browserAt('192.0.2.12');
      stranger.cookies.set('fg_browser', forged);
      expect((await signIn(stranger, email, password)).status).toBe(429);
    }
  });

  test('a stolen mark allows only ten attempts of its own', async () => {
    const thief = browserAt('192.0.2.13');
    thief.cookies.set('fg_browser', known.cookies.get('fg_browser') ?? '');
    await thief.get('/sign-in');
    const statuses: number[] = [];
    for (let attempts = 0; attempts <= attemptLimits.signInBrowser.max; attempts += 1) {
      statuses.push((await thief.post('/sign-in', { email, password: 'wrong one' })).status);
    }
    expect([statuses[0], statuses.at(-1)]).toEqual([400, 429]);
  });
});

describe('requests for a new password in the name of the owner', () => {
  test('from one address do not block the owner', async () => {
    const email = 'reset@example.com';
    await signUpVerified(browserAt('192.0.2.20'), gateway.dataDir, email);
    const stranger = browserAt('198.51.100.20');
    for (let asked = 0; asked < attemptLimits.mailPair.max; asked += 1) {
      expect((await askForPassword(stranger, email)).path).toMatch(/^\/confirm\//);
    }
    expect((await askForPassword(stranger, email)).status).toBe(429);
    const owner = browserAt('192.0.2.21');
    const asked = await askForPassword(owner, email);
    const code = await codeFor(gateway.dataDir, email);
    expect((await owner.post(asked.path, { code, password: 'a new one here' })).path).toBe(
      '/studio',
    );
  });

  test('from many addresses neither fill the mailbox nor block the browser of the owner', async () => {
    const email = 'flood@example.com';
    const owner = browserAt('192.0.2.30');
    await signUpVerified(owner, gateway.dataDir, email);
    const { mailAccount, mailPair } = attemptLimits;
    for (const address of addresses(20)) {
      const stranger = browserAt(address);
      for (let asked = 0; asked < mailPair.max; asked += 1) await askForPassword(stranger, email);
    }
    // The code of the sign-up was one of them.
    expect(await mailsTo(gateway.dataDir, email)).toHaveLength(mailAccount.max);
    const held = await askForPassword(browserAt('192.0.2.31'), email);
    expect(held.status).toBe(429);
    expect(held.text).toContain('the newest one works');
    expect((await askForPassword(owner, email)).path).toMatch(/^\/confirm\//);
  });
});

describe('staff', () => {
  test('are locked out neither by wrong passwords nor by wrong codes after the right password', async () => {
    const { email, password: staffs, secret, browser } = await enrolStaff(gateway, 'admin');
    await exhaust(email, '198.51.100.40');
    const thief = openBrowser(gateway.origin, from('198.51.100.41'));
    await thief.get('/staff/sign-in');
    const fields = { email, password: staffs, code: '000000' };
    const statuses: number[] = [];
    for (let attempts = 0; attempts <= attemptLimits.staffCode.max; attempts += 1) {
      statuses.push((await thief.send('/staff/sign-in', fields)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
    // From any address, because six digits could be guessed from many addresses.
    const elsewhere = openBrowser(gateway.origin, from('198.51.100.42'));
    await elsewhere.get('/staff/sign-in');
    expect((await elsewhere.send('/staff/sign-in', fields)).status).toBe(429);
    await browser.get('/staff');
    await browser.send('/staff/sign-out', {});
    await browser.get('/staff/sign-in');
    const back = await browser.send('/staff/sign-in', { ...fields, code: codeOf(secret, 1) });
    expect(back.status).toBe(303);
  });
});
