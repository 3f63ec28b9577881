import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { addStaff, codeOf, enrolStaff, openBrowser, openLink, sendEnrolment } from './browse.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
});

afterAll(async () => {
  await gateway.stop();
});

describe('enrolling', () => {
  test('by a link that works once, with password and code', async () => {
    const { password, link } = await addStaff(gateway, 'support');
    const opened = await link();
    const browser = openBrowser(gateway.origin);
    const { html, status } = await openLink(browser, opened);
    expect(status).toBe(200);
    expect(html).toContain('<svg');
    const secret = (/id="secret">([^<]+)</.exec(html)?.[1] ?? '').replaceAll(' ', '');
    const wrong = await sendEnrolment(browser, opened, {
      password: 'not it',
      code: codeOf(secret),
    });
    expect([wrong.status, wrong.html.includes('Wrong password')]).toEqual([400, true]);
    const mistyped = await sendEnrolment(browser, opened, { password, code: '000000' });
    expect(mistyped.status).toBe(400);
    const right = await sendEnrolment(browser, opened, { password, code: codeOf(secret) });
    expect([right.status, right.location]).toEqual([303, '/staff']);
    expect((await browser.get('/staff')).status).toBe(200);
    expect((await openLink(openBrowser(gateway.origin), opened)).status).toBe(410);
  });

  test('by a newer link, which ends the older one, and never as a customer', async () => {
    const { link } = await addStaff(gateway, 'support');
    const [older, newer] = [await link(), await link()];
    const browser = openBrowser(gateway.origin);
    expect((await openLink(browser, older)).status).toBe(410);
    expect((await openLink(browser, newer)).status).toBe(200);
    const customer = await addStaff(gateway, null);
    await expect(customer.link()).rejects.toMatchObject({ code: 'account_not_staff' });
  });

  test('with a code that no logged or sent address contains', async () => {
    const { link } = await addStaff(gateway, 'support');
    const opened = await link();
    const [path = '', token = ''] = opened.split('#');
    expect([path, token]).toEqual(['/staff/enrol', expect.stringMatching(/^[\w-]{43}$/)]);
    const { html } = await openLink(openBrowser(gateway.origin), opened);
    expect(html).toContain('<form class="stack" method="post" action="/staff/enrol">');
    for (const [, address] of html.matchAll(/(?:href|src|action)="([^"]*)"/g)) {
      expect(address).not.toContain(token);
    }
  });

  test('without the script, by pasting the code or the whole link', async () => {
    const { link } = await addStaff(gateway, 'support');
    const browser = openBrowser(gateway.origin);
    const opened = await link();
    const first = await browser.get('/staff/enrol');
    expect(first.html).toContain('name="token"');
    const pasted = ` ${gateway.origin}${opened}\n`;
    expect((await browser.send('/staff/enrol', { token: pasted })).html).toContain('id="secret"');
    const wrong = await browser.send('/staff/enrol', { token: 'x'.repeat(43) });
    expect([wrong.status, wrong.html.includes('name="token"')]).toEqual([410, true]);
    const none = await browser.send('/staff/enrol', { token: '' });
    expect([none.status, none.html.includes('name="token"')]).toEqual([400, true]);
  });

  test('the secret is stored encrypted', async () => {
    const { accountId, secret } = await enrolStaff(gateway, 'support');
    const stored = await gateway.collections.staffFactors.findOne({
      _id: accountId,
    });
    expect(stored?.['secret']).toEqual(expect.any(String));
    expect(JSON.stringify(stored)).not.toContain(secret);
  });
});

describe('signing in', () => {
  test('takes password and code, and each code once', async () => {
    const {
      email,
      password,
      secret,
      usedCode,
      browser: first,
    } = await enrolStaff(gateway, 'support');
    const browser = openBrowser(gateway.origin);
    const asked = await browser.get('/staff/audit');
    expect(asked.location).toBe('/staff/sign-in?next=%2Fstaff%2Faudit');
    await browser.get('/staff/sign-in');
    const send = (fields: Record<string, string>) => browser.send('/staff/sign-in', fields);
    const used = await send({ email, password, code: usedCode });
    const noCode = await send({ email, password, code: '' });
    const noPassword = await send({ email, password: 'wrong', code: codeOf(secret, 1) });
    const nobody = await send({ email: 'nobody@example.com', password, code: codeOf(secret, 1) });
    for (const refused of [used, noPassword, nobody]) {
      expect(refused.status).toBe(400);
      expect(refused.html).toContain('Wrong email, password or code.');
    }
    expect([noCode.status, noCode.html.includes('Enter a code from your app')]).toEqual([
      400,
      true,
    ]);
    const next = '/staff/audit';
    const right = await send({ email, password, code: codeOf(secret, 1), next });
    expect([right.status, right.location]).toEqual([303, next]);
    const audit = await browser.get(`/staff/audit?term=${encodeURIComponent(email)}`);
    expect(audit.html).toContain('<b>sign in</b>');
    expect((await first.get('/staff')).status).toBe(200);
  });

  test('is not for customers, nor for staff who have not enrolled', async () => {
    for (const role of [null, 'admin'] as const) {
      const { email, password } = await addStaff(gateway, role);
      const browser = openBrowser(gateway.origin);
      await browser.get('/staff/sign-in');
      const { status } = await browser.send('/staff/sign-in', { email, password, code: '123456' });
      expect([role, status]).toEqual([role, 400]);
    }
  });

  test('ten wrong codes lock it for a while', async () => {
    const { email, password, secret } = await enrolStaff(gateway, 'support');
    const browser = openBrowser(gateway.origin);
    await browser.get('/staff/sign-in');
    const statuses: number[] = [];
    for (let attempt = 1; attempt <= 11; attempt += 1) {
      const code = attempt === 11 ? codeOf(secret, 1) : '000000';
      const { status } = await browser.send('/staff/sign-in', { email, password, code });
      statuses.push(status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
  });

  test('leads only to pages of the console', async () => {
    const { email, password, secret } = await enrolStaff(gateway, 'support');
    const browser = openBrowser(gateway.origin);
    await browser.get('/staff/sign-in');
    const fields = { email, password, code: codeOf(secret, 1), next: '//evil.example/' };
    expect((await browser.send('/staff/sign-in', fields)).location).toBe('/staff');
  });
});

describe('sessions', () => {
  const sessions = () => gateway.collections.staffSessions;

  test('are separate, in a cookie that scripts cannot read', async () => {
    const { browser, email, password } = await enrolStaff(gateway, 'admin');
    expect([...browser.cookies.keys()]).toEqual(['fg_form', 'fg_staff', 'fg_browser']);
    const site = openBrowser(gateway.origin);
    await site.get('/sign-in');
    expect((await site.send('/sign-in', { email, password })).status).toBe(303);
    expect((await site.get('/staff')).location).toBe('/staff/sign-in?next=%2Fstaff');
  });

  test('end after a sign-out, idle time, their maximum age, or the loss of the role', async () => {
    const ends: [string, (accountId: string) => Promise<unknown>][] = [
      [
        'idle for half an hour',
        (accountId) =>
          sessions().updateOne({ accountId }, [
            { $set: { seenAt: { $subtract: ['$$NOW', 30 * minuteMs + 1] } } },
          ]),
      ],
      [
        'eight hours old',
        (accountId) => sessions().updateOne({ accountId }, [{ $set: { expiresAt: '$$NOW' } }]),
      ],
      [
        'role taken away',
        (_id) => gateway.collections.accounts.updateOne({ _id }, { $set: { staffRole: null } }),
      ],
      [
        'suspended',
        (_id) => gateway.collections.accounts.updateOne({ _id }, { $set: { status: 'suspended' } }),
      ],
    ];
    for (const [name, end] of ends) {
      const { browser, accountId } = await enrolStaff(gateway, 'support');
      expect([name, (await browser.get('/staff')).status]).toEqual([name, 200]);
      await end(accountId);
      expect([name, (await browser.get('/staff')).status]).toEqual([name, 303]);
    }
    const { browser, accountId } = await enrolStaff(gateway, 'support');
    await browser.get('/staff');
    const kept = new Map(browser.cookies);
    await browser.send('/staff/sign-out', {});
    expect(await sessions().countDocuments({ accountId })).toBe(0);
    for (const [name, value] of kept) browser.cookies.set(name, value);
    expect((await browser.get('/staff')).status).toBe(303);
  });

  test('refresh lists and figures, but not pages that only their reader changes', async () => {
    const { browser } = await enrolStaff(gateway, 'admin');
    const renews = async (name: string) =>
      (await browser.get(`/staff/${name}`)).html.includes('data-renewed');
    for (const name of ['costs', 'audit', 'prices', 'proposals', 'credit-requests']) {
      expect([name, await renews(name)]).toEqual([name, true]);
    }
    for (const name of ['people', 'passkeys']) {
      expect([name, await renews(name)]).toEqual([name, false]);
    }
  });

  test('are not kept alive by a page that refreshes itself', async () => {
    const { browser, accountId } = await enrolStaff(gateway, 'support');
    const longAgo = new Date(Date.now() - 20 * minuteMs);
    await sessions().updateOne({ accountId }, { $set: { seenAt: longAgo } });
    const renewed = await browser.fetch('/staff', { headers: { 'X-Renewal': '1' } });
    expect(await renewed.text()).toMatch(
      /<main id="content" data-renewed>[^]*Read at \d\d:\d\d:\d\d \(UTC\)/,
    );
    expect((await sessions().findOne({ accountId }))?.['seenAt']).toEqual(longAgo);
    await browser.get('/staff');
    expect((await sessions().findOne({ accountId }))?.['seenAt']).not.toEqual(longAgo);
  });
});
