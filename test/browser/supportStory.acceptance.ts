import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { addStaff } from '../staff/browse.ts';
import { arkRoutes } from '../support/arkRoutes.ts';
import { video } from '../support/bodies.ts';
import { startFakeArk, type FakeArk } from '../support/fakeArk/fakeArk.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { enrolInBrowser } from './support/enrolInBrowser.ts';
import { inspectPage } from './support/inspectPage.ts';
import { newPerson, openBrowser } from './support/openBrowser.ts';

let ark: FakeArk;
let folder: string;
let bed: TestGateway;
let browser: Browser;
let page: Page;
let trouble: string[];
let customer: TestAccount;
let lost: string;
let running: string;

beforeAll(async () => {
  ark = await startFakeArk();
  folder = await mkdtemp(join(tmpdir(), 'framegate-story-'));
  [bed, browser] = await Promise.all([
    startTestGateway(await arkRoutes(folder, ark)),
    openBrowser(),
  ]);
  ({ page, trouble } = await newPerson(browser));
  customer = await bed.addAccount({ credits: 500, hosts: ['pictures.example.com'] });
  const create = async (prompt: string): Promise<string> =>
    String((await customer.post('/v1/videos', video({ prompt }))).json['id']);
  for (const each of ['a boat', 'a harbour', 'a lighthouse']) {
    await customer.untilEnded(await create(each));
  }
  ark.script({ prompt: 'never ends', on: 'task', plan: { looks: 0, end: 'never' } });
  running = await create('never ends');
  ark.script({
    ...{ prompt: 'my daughter at the sea', on: 'submit' },
    fault: { kind: 'accept, then', fault: { kind: 'drop' } },
  });
  lost = await create('my daughter at the sea');
  await customer.untilEnded(lost);
  const { generations } = bed.gateway.database.collections;
  await until(async () => (await generations.findOne({ _id: running }))?.['step'] === 'submitted');
});
afterAll(async () => {
  await browser.close();
  await bed.stop();
  await ark.close();
  await rm(folder, { recursive: true, force: true });
});

/** In the order of a working day; each step goes on where the last one ended. */
describe('from a complaint to its answer', () => {
  test('enrolling by the link', async () => {
    const { password, link } = await addStaff(bed, 'support');
    await page.goto(bed.origin + (await link()));
    expect(await inspectPage(page, 'staff-enrol')).toEqual([]);
    await enrolInBrowser(page, password);
    expect(await inspectPage(page, 'staff-overview')).toEqual([]);
  });

  test('the complaint goes into the search box as it came', async () => {
    const mail = `Hello, my video (${lost}) never arrived! Was I charged?`;
    await page.getByLabel('Search').fill(mail);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: lost }).waitFor();
    const words = await page.locator('main').innerText();
    for (const word of ['failed', 'charged and refunded', 'unknown', 'charge', 'refund', 'cgt-']) {
      expect([word, words.includes(word)]).toEqual([word, word !== 'cgt-']);
    }
    expect(words).not.toContain('my daughter');
    await page.getByText('The answer of the API').click();
    expect(await page.locator('.view').innerText()).toContain('"status": "failed"');
    expect(await inspectPage(page, 'staff-generation')).toEqual([]);
  });

  test('the prompt is shown to staff who say why', async () => {
    await page.getByText("Show prompt, input addresses and providers' answers").click();
    await page.getByLabel('Why, for the audit log').fill('the customer asked about it');
    await page.getByRole('button', { name: 'Reveal' }).click();
    await page.getByText('my daughter at the sea').waitFor();
    expect(await inspectPage(page, 'staff-revealed')).toEqual([]);
  });

  test('the unknown outcome is resolved, after a question', async () => {
    await page.goto(`${bed.origin}/staff/generations/${lost}`);
    await page.getByRole('link', { name: 'Resolve unknown outcome' }).click();
    expect(await inspectPage(page, 'staff-confirm')).toEqual([]);
    await page.getByLabel('What the provider says').selectOption('yes');
    await page.getByLabel('Why, for the audit log').fill('its console shows the task');
    await page.getByRole('button', { name: 'Resolve unknown outcome' }).click();
    await page.getByRole('status').waitFor();
    expect(await page.getByRole('status').innerText()).toBe('Resolved: the provider had made it.');
  });

  test('the customer gets credits for the trouble', async () => {
    const before = Number((await customer.get('/v1/credits/balance')).json['available']);
    await page.goto(`${bed.origin}/staff/accounts/${customer.accountId}`);
    expect(await inspectPage(page, 'staff-account')).toEqual([]);
    expect(await page.getByRole('link', { name: 'Erase account' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Give goodwill credits' }).click();
    await page.getByLabel('Credits').fill('50');
    await page.getByLabel('Why, for the audit log').fill('lost video');
    await page.getByRole('button', { name: 'Give goodwill credits' }).click();
    await page.getByRole('status').waitFor();
    const { json } = await customer.get('/v1/credits/balance');
    expect(json['available']).toBe(before + 50);
  });

  test('a running one has its job in the list of jobs and in Agendash, with a way back', async () => {
    await page.goto(`${bed.origin}/staff/generations/${running}`);
    await page.getByRole('link', { name: 'Show it in Jobs' }).click();
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
    expect(await page.locator('tbody').innerText()).toContain(running);
    expect(await inspectPage(page, 'staff-jobs')).toEqual([]);
    await page.getByRole('link', { name: 'The same in Agendash' }).click();
    await page.getByText('generation.run').first().waitFor();
    const link = page.locator(`a[href="/staff/generations/${running}"]`).first();
    await link.waitFor();
    expect(await page.getByRole('button', { name: /New Job/ }).isVisible()).toBe(false);
    await inspectPage(page, 'staff-agendash');
    await link.click();
    await page.getByRole('heading', { name: running }).waitFor();
    await page.getByRole('link', { name: 'Look now' }).click();
    await page.getByRole('button', { name: 'Look now' }).click();
    await page.getByRole('status').waitFor();
  });

  test('everything is in the audit log, and hosts wait for staff', async () => {
    await page.goto(`${bed.origin}/staff/audit`);
    const words = await page.locator('main').innerText();
    for (const word of ['enrol', 'reveal prompt', 'resolve unknown', 'goodwill', 'look now']) {
      expect([word, words.includes(word)]).toEqual([word, true]);
    }
    expect(await inspectPage(page, 'staff-audit')).toEqual([]);
    await page.goto(`${bed.origin}/staff/hosts`);
    expect(await inspectPage(page, 'staff-hosts')).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect(await inspectPage(page, 'staff-sign-in')).toEqual([]);
    // Agendash's own page asks for live statistics, which only a worker's process has.
    const own = trouble.filter((line) => !/^(Failed to fetch stats|SSE connection)/.test(line));
    expect(own).toEqual([]);
  });
});
