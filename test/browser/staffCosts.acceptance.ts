import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { arkRoutes } from '../support/arkRoutes.ts';
import { type FakeArk, startFakeArk } from '../support/fakeArk/fakeArk.ts';
import type { TestGateway } from '../support/gateway.ts';
import { plain } from '../support/plainCollection.ts';
import { enterConsole } from './support/enrolInBrowser.ts';
import { inspectEverywhere } from './support/inspectPage.ts';
import { newPerson, openBrowser } from './support/openBrowser.ts';
import { startNamedGateway } from './support/virtualPasskey.ts';

let ark: FakeArk;
let folder: string;
let gateway: TestGateway;
let browser: Browser;
let page: Page;
let trouble: string[];

/** A month of ends: most are delivered, some fail, and a third provider states no costs. */
async function fillMonth({ clock, collections, random }: TestGateway): Promise<void> {
  const nowMs = clock.now();
  const priced = (micros: number) => ({ currency: 'USD', micros });
  const routes = [
    { provider: 'ark', model: 'seedance-1-5-pro-251215', cost: priced(550_000) },
    { provider: 'fal', model: 'fal-ai/bytedance/seedance/v1.5/pro', cost: priced(612_500) },
    { provider: 'elsewhere', model: 'unpriced-model', cost: null },
  ];
  const documents = Array.from({ length: 600 }, (_, index) => {
    const endedAt = new Date(nowMs - Math.floor((index * index) / 600) * 4_000_000);
    const failed = index % 9 === 0;
    const outcome = failed ? (index % 2 === 0 ? 'failed' : 'unknown') : 'completed';
    return {
      _id: random.newId('gen'),
      model: index % 3 === 0 ? 'beta-3.0' : 'alpha-2.0-pro',
      status: failed ? 'failed' : 'completed',
      step: 'ended',
      open: false,
      costCredits: 90,
      createdAt: endedAt,
      startedAt: endedAt,
      endedAt,
      attempts: [{ ...routes[index % 23 === 0 ? 2 : index % 2], number: 1, outcome }],
    };
  });
  await plain(collections.generations).insertMany(documents);
}

beforeAll(async () => {
  ark = await startFakeArk();
  folder = await mkdtemp(join(tmpdir(), 'framegate-costs-'));
  const perDay = { currency: 'USD', perDay: 250 };
  const cost = { currency: 'USD', perSecond: 0.05 };
  const settings = await arkRoutes(folder, ark, { budget: perDay }, { cost });
  [gateway, browser] = await Promise.all([
    startNamedGateway({ ...settings, CREDIT_VALUE: '0.01 USD' }),
    openBrowser(),
  ]);
  await fillMonth(gateway);
  ({ page, trouble } = await newPerson(browser));
  await enterConsole(page, gateway, 'admin');
});
afterAll(async () => {
  await browser.close();
  await gateway.stop();
  await ark.close();
  await rm(folder, { recursive: true, force: true });
});

test('the costs of a month are readable at every width, light and dark, and pass axe', async () => {
  await page.getByRole('link', { name: 'Costs' }).click();
  await page.getByRole('heading', { name: 'Cost per day in USD' }).waitFor();
  expect(await inspectEverywhere(page, 'staff-costs')).toEqual([]);
  const words = await page.locator('main').innerText();
  expect(words).toMatch(/unknown \(\d+ attempts\)/);
  expect(words).toMatch(/250\.00 USD/);
  expect(trouble).toEqual([]);
});

test('a range is chosen without JavaScript, and its CSV downloads as a file', async () => {
  const scriptless = await browser.newContext({ javaScriptEnabled: false });
  await scriptless.addCookies(await page.context().cookies());
  const still = await scriptless.newPage();
  await still.goto(`${gateway.origin}/staff/costs`);
  const to = await still.getByLabel('To', { exact: true }).inputValue();
  await still.getByLabel('From', { exact: true }).fill(to);
  await still.getByRole('button', { name: 'Show' }).click();
  await still.waitForURL(({ search }) => search === `?from=${to}&to=${to}`);
  const waits = still.waitForEvent('download');
  await still.getByRole('link', { name: 'Download these days as CSV' }).click();
  expect((await waits).suggestedFilename()).toBe(`framegate-costs-${to}-${to}.csv`);
  await scriptless.close();
});
