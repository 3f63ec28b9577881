import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mailsTo } from '../site/support/mailbox.ts';
import { createVisitor } from '../site/support/visitor.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { enrolStaff, type Browser } from './browse.ts';

let gateway: TestGateway;
let admin: Browser;

beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api', SIGN_UP: 'invite' });
  admin = (await enrolStaff(gateway, 'admin')).browser;
});

afterAll(() => gateway.stop());

/** A mail's text without the line ends and escapes of its transfer. */
const unfolded = (text = '') => text.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
const invitation = /\/sign-up\?invitation=[\w.-]+/;

test('an invitation is shown, mailed and written down, and its link makes an account', async () => {
  const { html } = await admin.get('/staff/invitations');
  expect(html).toContain('href="/staff/invitations"');
  const made = await admin.send('/staff/invitations', { email: 'Ada@People.example' });
  expect([made.status, made.html]).toEqual([200, expect.stringContaining('ada@people.example')]);
  const [mail] = await mailsTo(gateway.dataDir, 'ada@people.example');
  const [link = ''] = invitation.exec(unfolded(mail?.text)) ?? [];
  expect(made.html).toContain(link);
  const visitor = createVisitor(gateway.origin);
  const form = await visitor.get(link);
  const sent = { email: 'ada@people.example', invitation: form.field('invitation') };
  expect((await visitor.post('/sign-up', sent)).path).toMatch(/^\/confirm\//);
  // The log has no address that an erasure would have to find.
  const audit = (await admin.get('/staff/audit')).html;
  expect(audit).toContain('An address at people.example was invited.');
  expect(audit).not.toContain('ada@');
});

test('one that was sent is listed, sent again and withdrawn, and a new one works', async () => {
  const email = 'grace@people.example';
  const links = async () =>
    (await mailsTo(gateway.dataDir, email)).map(
      ({ text }) => invitation.exec(unfolded(text))?.[0] ?? '',
    );
  const signUpWith = async (link: string) => {
    const visitor = createVisitor(gateway.origin);
    const form = await visitor.get(link);
    const answer = await visitor.post('/sign-up', { email, invitation: form.field('invitation') });
    return answer.path.startsWith('/confirm/');
  };
  await admin.get('/staff/invitations');
  await admin.send('/staff/invitations', { email });
  const again = await admin.send('/staff/invitations', { email });
  expect(again.html).toContain('2 in all');
  const withdrawn = await admin.send('/staff/invitations/withdraw', { email });
  expect(withdrawn.html).toContain('The invitation of grace@people.example is withdrawn');
  for (const link of await links()) expect(await signUpWith(link)).toBe(false);
  await admin.send('/staff/invitations', { email });
  const [first = '', , newest = ''] = await links();
  expect(await signUpWith(first)).toBe(false);
  expect(await signUpWith(newest)).toBe(true);
  expect((await admin.get('/staff/invitations')).html).toContain('has an account');
  expect((await admin.get('/staff/audit')).html).not.toContain('grace@');
});

test('an address that is none, or has an account, is refused', async () => {
  const { accountId } = await gateway.addAccount({ email: 'known@people.example' });
  expect(accountId).toBeTruthy();
  for (const [email, problem] of [
    ['nonsense', 'Enter an e-mail address'],
    ['known@people.example', 'There is an account'],
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
    expect(sent.html).toContain(`The invitation was sent to ${each}@people.example.`);
    expect(await mailsTo(gateway.dataDir, `${each}@people.example`)).toHaveLength(1);
  }
  expect(sent.html).toContain('known@people.example: There is an account with this address.');
  expect(/<textarea[^>]*>([^<]*)</.exec(sent.html)?.[1]?.trim()).toBe('known@people.example');

  await admin.get('/staff/invitations');
  const many = Array.from({ length: 21 }, (_, index) => `p${index}@people.example`).join('\n');
  const tooMany = await admin.send('/staff/invitations', { email: many });
  expect([tooMany.status, tooMany.html]).toEqual([409, expect.stringContaining('at most 20')]);
  expect(await mailsTo(gateway.dataDir, 'p0@people.example')).toEqual([]);
});

test('support may not, and elsewhere there are no invitations', async () => {
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
