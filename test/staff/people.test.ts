import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { password } from '../site/support/signUpVerified.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import {
  type Browser,
  codeOf,
  enrolStaff,
  openBrowser,
  openLink,
  sendEnrolment,
} from './browse.ts';

let gateway: TestGateway;
let admin: Browser;
let support: Browser;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
  admin = (await enrolStaff(gateway, 'admin')).browser;
  support = (await enrolStaff(gateway, 'support')).browser;
});
afterAll(() => gateway.stop());

const path = '/staff/people';

test('an admin invites a viewer, who enrols with the link; ending the role ends the session', async () => {
  await admin.get(path);
  const made = await admin.send(path, { email: 'vera@framegate.example', role: 'viewer' });
  expect(made.status).toBe(200);
  const link = /\/staff\/enrol#[\w-]+/.exec(made.html)?.[0] ?? '';
  const viewer = openBrowser(gateway.origin);
  const page = await openLink(viewer, link);
  const secret = (/id="secret">([^<]+)</.exec(page.html)?.[1] ?? '').replaceAll(' ', '');
  await sendEnrolment(viewer, link, { password, code: codeOf(secret) });
  const list = await viewer.get(path);
  expect([list.status, list.html.includes('name="role"')]).toEqual([200, false]);
  expect(list.html).toContain('vera@framegate.example');

  const { database } = gateway;
  const account = await database.accounts.findByEmail('vera@framegate.example');
  const end = `${path}/${account?.id ?? ''}/end`;
  expect((await support.send(end, {})).status).toBe(403);
  await admin.get(path);
  expect((await admin.send(end, {})).html).toContain('Role viewer removed.');
  expect((await viewer.get(path)).location).toMatch(/^\/staff\/sign-in/);
  const log = await gateway.collections.staffAudit.find({ targets: account?.id ?? '' }).toArray();
  expect(log.map(({ action, outcome }) => [action, outcome])).toEqual(
    expect.arrayContaining([
      ['end staff role', 'refused'],
      ['end staff role', 'done'],
    ]),
  );
  const { html } = await admin.get('/staff/audit');
  expect(html).toContain('invited as viewer.');
});

test('one admin alone can neither add nor remove an admin, and support can invite no one', async () => {
  await admin.get(path);
  const refused = await admin.send(path, { email: 'max@framegate.example', role: 'admin' });
  expect([refused.status, refused.html]).toEqual([409, expect.stringContaining('command line')]);
  const other = await enrolStaff(gateway, 'admin');
  await admin.get(path);
  expect((await admin.send(`${path}/${other.accountId}/end`, {})).status).toBe(409);
  expect((await other.browser.get(path)).status).toBe(200);
  await support.get(path);
  expect(
    (await support.send(path, { email: 'max@framegate.example', role: 'viewer' })).status,
  ).toBe(403);
  const { accounts } = gateway.database;
  expect(await accounts.findByEmail('max@framegate.example')).toBeNull();
});

test('the log is exported as CSV, and the page of an account tells who granted its credits', async () => {
  const account = await gateway.addAccount({ credits: 0 });
  const to = `/staff/accounts/${account.accountId}/grant`;
  await admin.get(to);
  const fields = { amount: '10', kind: 'purchased', reason: 'agreed' };
  expect((await admin.send(to, fields)).status).toBe(303);
  const page = await admin.get(`/staff/accounts/${account.accountId}`);
  expect(page.html).toMatch(/agreed <span class="quiet">by [\w-]+@framegate\.example</);
  const response = await support.fetch('/staff/audit.csv');
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const csv = await response.text();
  expect(csv).toContain(`grant credits,${account.accountId},agreed,done,`);
});
