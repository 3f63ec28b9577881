import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { codeFor, mailsTo } from './support/mailbox.ts';
import { password, signUpVerified } from './support/signUpVerified.ts';
import { createVisitor } from './support/visitor.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api', SIGNUP_CREDITS: '120' });
});
afterAll(async () => {
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

describe('sign-up', () => {
  test('leads from the form to the first page after the sign-in, with the welcome credits once', async () => {
    const visitor = createVisitor(gateway.origin);
    const page = await signUpVerified(visitor, gateway.dataDir, 'ada@example.com');
    expect(page.path).toBe('/studio');
    expect(page.text).toContain('Email address verified');
    const credits = await visitor.get('/credits');
    expect(credits.text).toContain('Welcome credits');
    expect(credits.text).toContain('120 credits available');
    const account = await gateway.database.accounts.findByEmail('ada@example.com');
    expect(account?.lots).toHaveLength(1);
    expect(account?.passwordHash).toMatch(/^\$argon2id\$/);
  });

  test('shows each problem at its field and keeps typed values, but never a password', async () => {
    const visitor = createVisitor(gateway.origin);
    await visitor.get('/sign-up');
    const page = await visitor.post('/sign-up', { email: 'no address' });
    expect(page.status).toBe(400);
    expect(page.text).toContain('id="field-email-problem"');
    expect(page.field('email')).toBe('no address');
    const email = 'fields@example.com';
    const asked = await visitor.post('/sign-up', { email });
    const code = await codeFor(gateway.dataDir, email);
    const weak = await visitor.post(asked.path, { code, password: 'short' });
    expect(weak.status).toBe(400);
    expect(weak.text).toContain('id="field-password-problem"');
    expect(weak.field('code')).toBe(code);
    expect(weak.text).not.toContain('"short"');
  });

  test('emails a working code again before the first is confirmed', async () => {
    const visitor = createVisitor(gateway.origin);
    const email = 'twice@example.com';
    await visitor.get('/sign-up');
    await visitor.post('/sign-up', { email });
    const again = await visitor.post('/sign-up', { email });
    expect(again.text).toContain('We emailed an eight-digit code');
    const mails = await mailsTo(gateway.dataDir, email);
    expect(mails.map(({ code }) => code)).toEqual([
      expect.stringMatching(/^\d{8}$/),
      expect.stringMatching(/^\d{8}$/),
    ]);
    const code = mails.at(-1)?.code ?? '';
    const page = await visitor.post(again.path, { code, password });
    expect(page.path).toBe('/studio');
  });

  test('reveals an existing account only to the mailbox', async () => {
    const known = createVisitor(gateway.origin);
    await known.get('/sign-up');
    const page = await known.post('/sign-up', { email: 'ada@example.com' });
    const other = createVisitor(gateway.origin);
    await other.get('/sign-up');
    const fresh = await other.post('/sign-up', { email: 'new@example.com' });
    const neutral = (text: string) =>
      text
        .replace(/cfm_[0-9a-z]+/g, 'cfm')
        .replace(/value="[^"]{20,}"/g, 'value')
        .replaceAll('new@', 'ada@');
    expect(neutral(page.text)).toBe(neutral(fresh.text));
    const mails = await mailsTo(gateway.dataDir, 'ada@example.com');
    expect(mails.at(-1)?.subject).toBe('You already have a Framegate account');
    expect(mails.at(-1)?.code).toBe('');
  });

  test('accepts a code for five attempts and one use, and then shows the next step', async () => {
    const visitor = createVisitor(gateway.origin);
    await visitor.get('/sign-up');
    const email = 'tries@example.com';
    const asked = await visitor.post('/sign-up', { email });
    const code = await codeFor(gateway.dataDir, email);
    const wrong = code === '00000000' ? '00000001' : '00000000';
    const first = await visitor.post(asked.path, { code: wrong, password });
    expect(first.text).toContain('You have 4 attempts left');
    for (let attempts = 0; attempts < 3; attempts += 1) {
      await visitor.post(asked.path, { code: wrong, password });
    }
    expect((await visitor.post(asked.path, { code: wrong, password })).status).toBe(410);
    const late = await visitor.post(asked.path, { code, password });
    expect(late.status).toBe(410);
    expect(late.text).toContain('has expired');
    const account = await gateway.database.accounts.findByEmail(email);
    expect(account?.isVerified).toBe(false);
  });

  test('refuses an expired code at any time', async () => {
    const visitor = createVisitor(gateway.origin);
    await visitor.get('/sign-up');
    const email = 'late@example.com';
    const asked = await visitor.post('/sign-up', { email });
    const id = asked.path.replace('/confirm/', '');
    const { confirmations } = gateway.collections;
    await confirmations.updateOne({ _id: id }, [{ $set: { expiresAt: '$$NOW' } }]);
    const code = await codeFor(gateway.dataDir, email);
    expect((await visitor.post(asked.path, { code, password })).status).toBe(410);
  });

  test('puts no secret into a link of an email or page', async () => {
    const mails = await mailsTo(gateway.dataDir, 'tries@example.com');
    const [mail] = mails;
    expect(mail?.text).toMatch(/\/confirm\/cfm_[0-9a-z]{26}$/m);
    expect(mail?.text).not.toMatch(new RegExp(`http\\S*${mail?.code}`));
  });
});
