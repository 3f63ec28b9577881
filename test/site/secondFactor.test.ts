import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf } from '../staff/browse.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { codeFor, mailsTo } from './support/mailbox.ts';
import { password } from './support/signUpVerified.ts';
import {
  factorPath,
  newCustomer,
  recoveryCodesOn,
  secretOn,
  sendCode,
  turnOn,
  withPassword,
} from './support/useSecondFactor.ts';
import { createVisitor, type Visitor } from './support/visitor.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
});
afterAll(async () => {
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

const isSignedIn = async (visitor: Visitor) => (await visitor.get('/credits')).path === '/credits';
const subjectsTo = async (email: string) =>
  (await mailsTo(gateway.dataDir, email)).map(({ subject }) => subject);
const stored = (accountId: string) =>
  gateway.collections.customerFactors.findOne({ _id: accountId });

describe('turning it on', () => {
  test('takes the password and a code of the app, and shows the recovery codes once', async () => {
    const { visitor, email, accountId } = await newCustomer(gateway, 'on@example.com');
    const other = (await withPassword(gateway, email)).visitor;
    expect((await visitor.get('/settings/account')).text).toContain(`href="${factorPath}"`);
    const page = await visitor.get(factorPath);
    expect(page.text).toContain('<svg');
    const secret = secretOn(page);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const form = { setup: page.field('setup'), current_password: password, code: codeOf(secret) };
    const stranger = await visitor.post(`${factorPath}/on`, { ...form, current_password: 'no' });
    const mistyped = await visitor.post(`${factorPath}/on`, { ...form, code: '000000' });
    expect([stranger.status, mistyped.status]).toEqual([400, 400]);
    expect(stranger.text).toContain('id="field-current-problem"');
    expect(mistyped.text).toContain('id="field-code-problem"');
    // The scanned picture stays.
    expect(secretOn(mistyped)).toBe(secret);
    expect(await stored(accountId)).toBeNull();

    const done = await visitor.post(`${factorPath}/on`, form);
    const codes = recoveryCodesOn(done);
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([0-9a-z]{4}-){5}[0-9a-z]{4}$/);
    const kept = JSON.stringify(await stored(accountId));
    for (const word of [secret, ...codes]) expect(kept).not.toContain(word);
    const again = await visitor.get(factorPath);
    for (const word of [secret, ...codes]) expect(again.text).not.toContain(word);
    expect(again.text).toContain('10 recovery codes left');
    expect([await isSignedIn(visitor), await isSignedIn(other)]).toEqual([true, false]);
    expect((await subjectsTo(email)).at(-1)).toBe('Two-factor authentication is on');
    expect((await visitor.post(`${factorPath}/on`, form)).text).toContain('is already on');
  });

  test("a secret belongs to its account: another account's form is worth nothing", async () => {
    const [one, two] = [
      await newCustomer(gateway, 'a1@example.com'),
      await newCustomer(gateway, 'a2@example.com'),
    ];
    const page = await one.visitor.get(factorPath);
    const form = { setup: page.field('setup'), current_password: password };
    await two.visitor.get(factorPath);
    const code = codeOf(secretOn(page));
    expect((await two.visitor.post(`${factorPath}/on`, { ...form, code })).status).toBe(400);
  });
});

describe('signing in', () => {
  test('asks for the code after the password, and accepts a code once', async () => {
    const customer = await newCustomer(gateway, 'in@example.com');
    const { secret, usedCode } = await turnOn(customer);
    const { visitor, page } = await withPassword(gateway, customer.email, { next: '/credits' });
    expect([page.status, page.text.includes('Enter your code')]).toEqual([200, true]);
    expect([...visitor.cookies.keys()]).toEqual(['fg_form']);
    expect(await isSignedIn(visitor)).toBe(false);
    for (const code of [usedCode, '000000', '', 'abcd-efgh-jkmn-pqrs']) {
      const refused = await sendCode(visitor, page, code);
      expect([code, refused.status, refused.text.includes('Enter your code')]).toEqual([
        ...[code, 400, true],
      ]);
      expect(refused.field('code')).toBe('');
    }
    expect(await isSignedIn(visitor)).toBe(false);
    const code = codeOf(secret, 1);
    expect((await sendCode(visitor, page, code)).path).toBe('/credits');
    const second = await withPassword(gateway, customer.email);
    expect((await sendCode(second.visitor, second.page, code)).status).toBe(400);
  });

  test('admits one of two browsers that send the same code simultaneously', async () => {
    const customer = await newCustomer(gateway, 'race@example.com');
    const { secret } = await turnOn(customer);
    const browsers = await Promise.all([1, 2, 3].map(() => withPassword(gateway, customer.email)));
    const code = codeOf(secret, 1);
    const responses = await Promise.all(
      browsers.map(({ visitor, page }) => sendCode(visitor, page, code)),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
  });

  test('accepts a recovery code once, however it is typed, and notifies the owner', async () => {
    const customer = await newCustomer(gateway, 'lost@example.com');
    const { recoveryCodes } = await turnOn(customer);
    const typed = ` ${(recoveryCodes[3] ?? '').toUpperCase().replaceAll('-', ' ')} `;
    for (const [code, status] of [
      [typed, 200],
      [recoveryCodes[3] ?? '', 400],
    ] as const) {
      const { visitor, page } = await withPassword(gateway, customer.email);
      expect((await sendCode(visitor, page, code)).status).toBe(status);
      expect(await isSignedIn(visitor)).toBe(status === 200);
    }
    const mails = await mailsTo(gateway.dataDir, customer.email);
    const mail = mails.find(({ subject }) => subject === 'A recovery code was used');
    expect(mail?.text).toContain('9 recovery codes are left');
  });

  test('keeps the values of a form that it interrupts', async () => {
    const customer = await newCustomer(gateway, 'draft@example.com');
    const { secret } = await turnOn(customer);
    const { visitor } = customer;
    await visitor.get('/studio');
    await gateway.collections.sessions.deleteMany({});
    const lost = await visitor.post('/studio', { do: 'create', prompt: 'A paper boat' });
    const carried = { next: lost.field('next'), draft: lost.field('draft') };
    const { page } = await withPassword(gateway, customer.email, carried, visitor);
    const back = await sendCode(visitor, page, codeOf(secret, 1));
    expect([back.path, back.text.includes('A paper boat</textarea>')]).toEqual(['/studio', true]);
  });

  test('accepts a proof of the password only for its account and its password', async () => {
    const customer = await newCustomer(gateway, 'proof@example.com');
    const other = await newCustomer(gateway, 'proof2@example.com');
    await turnOn(customer);
    const { secret } = await turnOn(other);
    const { visitor, page } = await withPassword(gateway, customer.email);
    const proof = page.field('proof').replace(customer.accountId, other.accountId);
    const forged = await visitor.post('/sign-in/code', { proof, code: codeOf(secret, 1) });
    expect([forged.status, forged.text.includes('Sign in again')]).toEqual([401, true]);
    const { visitor: late, page: asked } = await withPassword(gateway, other.email);
    const change = { current_password: password, password: 'a whole new word' };
    await other.visitor.get('/settings/account');
    await other.visitor.post('/settings/account/password', change);
    expect((await sendCode(late, asked, codeOf(secret, 1))).status).toBe(401);
    expect((await late.get('/sign-in/code')).path).toBe('/sign-in');
  });

  test('counts wrong codes, so that strangers wait, but known browsers do not', async () => {
    const customer = await newCustomer(gateway, 'guess@example.com');
    const { secret } = await turnOn(customer);
    const thief = await withPassword(gateway, customer.email);
    const statuses: number[] = [];
    for (let attempts = 1; attempts <= 11; attempts += 1) {
      const code = attempts === 11 ? codeOf(secret, 1) : '000000';
      statuses.push((await sendCode(thief.visitor, thief.page, code)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
    const another = await withPassword(gateway, customer.email);
    expect((await sendCode(another.visitor, another.page, codeOf(secret, 1))).status).toBe(429);
    expect((await subjectsTo(customer.email)).at(-1)).toBe('Someone may know your password');
    const { page } = await withPassword(gateway, customer.email, {}, customer.visitor);
    expect((await sendCode(customer.visitor, page, codeOf(secret, 1))).path).toBe('/studio');
  });
});

describe('a new password by email', () => {
  test('does not replace the code', async () => {
    const customer = await newCustomer(gateway, 'reset@example.com');
    const { secret } = await turnOn(customer);
    const visitor = createVisitor(gateway.origin);
    await visitor.get('/forgotten-password');
    const asked = await visitor.post('/forgotten-password', { email: customer.email });
    const code = await codeFor(gateway.dataDir, customer.email);
    const changed = await visitor.post(asked.path, { code, password: 'a whole new word' });
    expect(changed.text).toContain('Enter your code');
    expect(changed.text).toContain('Password changed');
    expect([await isSignedIn(visitor), await isSignedIn(customer.visitor)]).toEqual([false, false]);
    expect((await sendCode(visitor, changed, codeOf(secret, 1))).path).toBe('/studio');
  });
});

describe('an account that has it', () => {
  test('makes new recovery codes by password and code, which replace the former ones', async () => {
    const customer = await newCustomer(gateway, 'renew@example.com');
    const { secret, recoveryCodes } = await turnOn(customer);
    const { visitor } = customer;
    await visitor.get(factorPath);
    const renew = (fields: Record<string, string>) =>
      visitor.post(`${factorPath}/recovery-codes`, fields);
    const code = codeOf(secret, 1);
    expect((await renew({ current_password: 'no', code })).status).toBe(400);
    expect((await renew({ current_password: password, code: '000000' })).status).toBe(400);
    const made = recoveryCodesOn(await renew({ current_password: password, code }));
    expect(made).toHaveLength(10);
    const signIn = async (typed: string) => {
      const { visitor: browser, page } = await withPassword(gateway, customer.email);
      return (await sendCode(browser, page, typed)).status;
    };
    expect(await signIn(recoveryCodes[0] ?? '')).toBe(400);
    expect(await signIn(made[0] ?? '')).toBe(200);
  });

  test('turns it off by password and code, and is notified', async () => {
    const customer = await newCustomer(gateway, 'off@example.com');
    const { secret } = await turnOn(customer);
    const { visitor, accountId, email } = customer;
    await visitor.get(factorPath);
    const turnOff = (fields: Record<string, string>) => visitor.post(`${factorPath}/off`, fields);
    const code = codeOf(secret, 1);
    expect((await turnOff({ current_password: 'no', code })).status).toBe(400);
    expect((await turnOff({ current_password: password, code: '123456' })).status).toBe(400);
    expect((await turnOff({ current_password: password })).status).toBe(400);
    expect(await stored(accountId)).not.toBeNull();
    const off = await turnOff({ current_password: password, code });
    expect([off.path, off.text.includes('Two-factor authentication is off')]).toEqual([
      ...['/settings/account', true],
    ]);
    expect(await stored(accountId)).toBeNull();
    expect((await subjectsTo(email)).at(-1)).toBe('Two-factor authentication is off');
    expect((await withPassword(gateway, email)).page.path).toBe('/studio');
    // Turned on again it has another secret.
    expect((await turnOn(customer)).secret).not.toBe(secret);
  });
});

test('opens only its own page until it is on, if it is required', async () => {
  const strict = await startTestGateway({ ROLE: 'api', CUSTOMERS_NEED_SECOND_FACTOR: 'true' });
  const { visitor } = await newCustomer(strict, 'strict@example.com');
  for (const path of ['/studio', '/history', '/credits', '/settings/public-api']) {
    const page = await visitor.get(path);
    expect([page.status, page.text]).toEqual([
      403,
      expect.stringContaining(`href="${factorPath}"`),
    ]);
  }
  const form_key = 'a-form-that-was-never-shown';
  const made = await visitor.post('/settings/public-api/keys', { form_key, name: 'early' });
  expect(made.status).toBe(403);
  await turnOn({ visitor });
  for (const path of ['/studio', '/credits']) expect((await visitor.get(path)).status).toBe(200);
  await strict.stop();
  expect(strict.errors).toEqual([]);
});
