import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mailsTo } from '../site/support/mailbox.ts';
import { password } from '../site/support/signUpVerified.ts';
import { createVisitor } from '../site/support/visitor.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type Browser, enrolStaff } from './browse.ts';

let gateway: TestGateway;
let admin: Browser;

beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api', SIGN_UP: 'invite' });
  admin = (await enrolStaff(gateway, 'admin')).browser;
});

afterAll(() => gateway.stop());

/** An email's text without the line ends and escapes of its transfer encoding. */
const unfolded = (text = '') => text.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
const invitation = /\/sign-up\?invitation=[\w.-]+/;

/** Pages of the confirmations emailed to an address, with their codes. */
const codesOf = async (email: string) =>
  (await mailsTo(gateway.dataDir, email)).map(({ text, code }) => ({
    page: /\/confirm\/cfm_\w+/.exec(unfolded(text))?.[0] ?? '',
    code,
  }));

/** Answers with a code. @returns The path of the next page, and its status. */
const confirm = async ({ page, code }: { page: string; code: string }) => {
  const visitor = createVisitor(gateway.origin);
  const form = await visitor.get(page);
  if (form.status !== 200) return [page, form.status];
  const response = await visitor.post(page, { code, password });
  return [response.path, response.status];
};

test('an invitation is mailed and written down, and makes an account without a second email, once', async () => {
  const email = 'ada@people.example';
  const { html } = await admin.get('/staff/invitations');
  expect(html).toContain('href="/staff/invitations"');
  const made = await admin.send('/staff/invitations', { email: 'Ada@People.example' });
  expect([made.status, made.html]).toEqual([200, expect.stringContaining(email)]);
  const [asked = { page: '', code: '' }] = await codesOf(email);
  const page = await createVisitor(gateway.origin).get(asked.page);
  expect(page.text).toContain('from the invitation we emailed to');
  expect(page.text).not.toContain('works for one hour');
  const { accounts } = gateway.database;
  const wrong = asked.code === '00000000' ? '00000001' : '00000000';
  expect(await confirm({ ...asked, code: wrong })).toEqual([asked.page, 400]);
  expect(await accounts.findByEmail(email)).toBeNull();
  expect(await confirm(asked)).toEqual(['/studio', 200]);
  expect(await mailsTo(gateway.dataDir, email)).toHaveLength(1);
  const account = await accounts.findByEmail(email);
  expect(account?.isVerified).toBe(true);
  expect(await confirm(asked)).toEqual([asked.page, 410]);
  // The log has no address that an erasure would need to find.
  const audit = (await admin.get('/staff/audit')).html;
  expect(audit).toContain('Invited an address at people.example.');
  expect(audit).not.toContain('ada@');
});

test('a second email to the same address does not choose the password of its account again', async () => {
  const email = 'twice@people.example';
  for (const form of [{ email }, { email }]) {
    await admin.get('/staff/invitations');
    await admin.send('/staff/invitations', form);
  }
  const [first, second] = await codesOf(email);
  if (!first || !second) throw new Error('a mail is missing');
  expect(await confirm(second)).toEqual(['/studio', 200]);
  const { accounts } = gateway.database;
  const before = (await accounts.findByEmail(email))?.passwordHash;
  expect(await confirm(first)).toEqual([first.page, 410]);
  expect((await accounts.findByEmail(email))?.passwordHash).toBe(before);
});

test('the link shown to staff works as well, with a code of its own', async () => {
  const email = 'link@people.example';
  await admin.get('/staff/invitations');
  const made = await admin.send('/staff/invitations', { email });
  const [link = ''] = invitation.exec(made.html) ?? [];
  const visitor = createVisitor(gateway.origin);
  const form = await visitor.get(link);
  const response = await visitor.post('/sign-up', { email, invitation: form.field('invitation') });
  expect(response.path).toMatch(/^\/confirm\//);
});

test('a sent invitation is listed, sent again and revoked, and a new one works', async () => {
  const email = 'grace@people.example';
  await admin.get('/staff/invitations');
  await admin.send('/staff/invitations', { email });
  const again = await admin.send('/staff/invitations', { email });
  expect(again.html).toContain('2 in total');
  const revoked = await admin.send('/staff/invitations/revoke', { email });
  expect(revoked.html).toContain('Invitation for grace@people.example revoked');
  for (const asked of await codesOf(email)) expect(await confirm(asked)).toEqual([asked.page, 410]);
  await admin.send('/staff/invitations', { email });
  const [first, , newest] = await codesOf(email);
  if (!first || !newest) throw new Error('a mail is missing');
  expect(await confirm(first)).toEqual([first.page, 410]);
  expect(await confirm(newest)).toEqual(['/studio', 200]);
  expect((await admin.get('/staff/invitations')).html).toContain('has an account');
  expect((await admin.get('/staff/audit')).html).not.toContain('grace@');
});

test('an invalid address, or one that has an account, is refused', async () => {
  const { accountId } = await gateway.addAccount({ email: 'known@people.example' });
  expect(accountId).toBeTruthy();
  for (const [email, problem] of [
    ['nonsense', 'Enter an email address'],
    ['known@people.example', 'An account with this email address'],
  ] as const) {
    await admin.get('/staff/invitations');
    const refused = await admin.send('/staff/invitations', { email });
    expect([refused.status, refused.html]).toEqual([409, expect.stringContaining(problem)]);
  }
});

test('several addresses are invited at once; those that are refused stay in the form', async () => {
  await admin.get('/staff/invitations');
  const email =
    'one@people.example\nTwo@people.example, known@people.example\r\none@people.example';
  const sent = await admin.send('/staff/invitations', { email });
  expect(sent.status).toBe(409);
  for (const each of ['one', 'two']) {
    expect(sent.html).toContain(`Invitation sent to ${each}@people.example.`);
    expect(await mailsTo(gateway.dataDir, `${each}@people.example`)).toHaveLength(1);
  }
  expect(sent.html).toContain(
    'known@people.example: An account with this email address already exists.',
  );
  expect(/<textarea[^>]*>([^<]*)</.exec(sent.html)?.[1]?.trim()).toBe('known@people.example');

  await admin.get('/staff/invitations');
  const many = Array.from({ length: 21 }, (_, index) => `p${index}@people.example`).join('\n');
  const tooMany = await admin.send('/staff/invitations', { email: many });
  expect([tooMany.status, tooMany.html]).toEqual([409, expect.stringContaining('at most 20')]);
  expect(await mailsTo(gateway.dataDir, 'p0@people.example')).toEqual([]);
});

test('support may not invite, and only SIGN_UP=invite has invitations', async () => {
  const support = (await enrolStaff(gateway, 'support')).browser;
  const page = await support.get('/staff/invitations');
  expect([page.status, page.html.includes('name="email"')]).toEqual([403, false]);
  const sent = await support.send('/staff/invitations', { email: 'eve@people.example' });
  expect([sent.status, await mailsTo(gateway.dataDir, 'eve@people.example')]).toEqual([403, []]);
  const open = await startTestGateway({ ROLE: 'api' });
  const { browser } = await enrolStaff(open, 'admin');
  expect((await browser.get('/staff')).html).not.toContain('/staff/invitations');
  expect((await browser.get('/staff/invitations')).status).toBe(404);
  await open.stop();
});
