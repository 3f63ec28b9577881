import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { allRoutes } from '../../lab/attack/routes.ts';
import { testTogether } from '../support/testTogether.ts';
import { overBudget, pages } from './pages.ts';
import { expectSoon } from './support/expectSoon.ts';
import { furnish, type House, type Who } from './support/furnish.ts';
import { findingsOf, inspectEverywhere } from './support/inspectPage.ts';
import { desk, newPerson, openBrowser } from './support/openBrowser.ts';
import { weigh } from './support/weigh.ts';

let browser: Browser;
let house: House;
/** Paths of the console's pages. */
const consoleRoutes = allRoutes().flatMap(({ name }) => {
  const path = name.replace('GET ', '');
  return path.startsWith('/staff') && !/\.\w+$|sign-in\/oidc/.test(path) ? [path] : [];
});
const people: readonly Who[] = ['stranger', 'newcomer', 'customer', 'staff'];

beforeAll(async () => {
  browser = await openBrowser();
  house = await furnish(browser);
});
afterAll(async () => {
  await browser.close();
  await house.close();
});

/** Loads and inspects every page of one person. @returns Their problems. */
async function inspectAll(who: Who): Promise<string[]> {
  const problems: string[] = [];
  const page = house.pages[who];
  for (const listed of pages.filter((each) => each.who === who)) {
    const address = house.gateway.origin + listed.path(house);
    problems.push(...overBudget(listed, await weigh(page, address)));
    problems.push(...(await inspectEverywhere(page, listed.name)));
  }
  return problems;
}

describe('each page keeps its budget; at three widths, light and dark, axe finds nothing serious and nothing is too wide', () => {
  // Each person has a separate window, so that a second core can inspect another person's pages.
  const inspections = people.map(
    (who) => [`pages of a ${who}`, async () => expect(await inspectAll(who)).toEqual([])] as const,
  );
  testTogether(Object.fromEntries(inspections), 900_000);

  test('the page behind an enrolment link', async () => {
    const { page } = await newPerson(browser);
    const sent = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.goto(house.gateway.origin + house.enrolPath);
    await page.locator('#secret').waitFor();
    const { responseBodySize } = await (await sent).request().sizes();
    expect(responseBodySize).toBeLessThan(24_000);
    expect(await inspectEverywhere(page, 'staff-enrol-code')).toEqual([]);
    await page.close();
  }, 300_000);

  test('the documentation is the same for everyone', async () => {
    const texts = await Promise.all(
      people.map(async (who) => {
        const response = await house.pages[who].request.get(`${house.gateway.origin}/docs`);
        return response.text();
      }),
    );
    expect(new Set(texts).size).toBe(1);
  });

  test('the actions of a result are in one row, which wraps on a phone', async () => {
    const { customer } = house.pages;
    await customer.goto(`${house.gateway.origin}/generations/${house.made.completed}`);
    const tops = async () => {
      const names = ['Download', 'Make a variation'];
      const boxes = names.map((name) => customer.getByRole('link', { name }).boundingBox());
      return (await Promise.all(boxes)).map((box) => box?.y);
    };
    const [first, second] = await tops();
    expect(first).toBeGreaterThan(0);
    expect(second).toBe(first);
    await customer.setViewportSize({ width: 240, height: 860 });
    const [above, below] = await tops();
    expect(below).toBeGreaterThan(above ?? Infinity);
    await customer.setViewportSize(desk);
  });

  test('the attempts of a generation have the width of the page', async () => {
    const { staff } = house.pages;
    await staff.goto(`${house.gateway.origin}/staff/generations/${house.made.failed}`);
    const table = staff.locator('section', { hasText: "Provider's message" }).locator('.wide');
    const [all, shown] = await table.evaluate((each) => [each.scrollWidth, each.clientWidth]);
    expect(all).toBe(shown);
  });

  test('axe finds nothing on any page of the console, and each has one line of navigation on a phone', async () => {
    const { staff } = house.pages;
    await staff.setViewportSize({ width: 390, height: 844 });
    await staff.goto(`${house.gateway.origin}/staff/jobs`);
    const job = await staff.locator('tbody a[href^="/staff/jobs/"]').first().getAttribute('href');
    const problems: string[] = [];
    for (const route of consoleRoutes) {
      const path = route
        .replace(/(?<=generations\/):id/, house.made.failed)
        .replace(/(?<=accounts\/):id/, house.accountId)
        .replace('/staff/jobs/:id', job ?? '');
      await staff.goto(house.gateway.origin + path);
      const found = await findingsOf(staff, null);
      const links = staff.getByRole('navigation', { name: 'Console' }).getByRole('link');
      const tops = await links.evaluateAll((all) => all.map((each) => each.getClientRects()[0]?.y));
      if (new Set(tops).size > 1) found.push('its navigation has two lines');
      problems.push(...found.map((each) => `${route}: ${each}`));
    }
    await staff.setViewportSize(desk);
    expect(consoleRoutes.length).toBeGreaterThan(30);
    expect(problems).toEqual([]);
  }, 600_000);

  test('the overview refreshes itself while idle, and states the values of its chart', async () => {
    const storageState = await house.pages.staff.context().storageState();
    const context = await browser.newContext({ storageState });
    const page = await context.newPage();
    const renewals: string[] = [];
    page.on('request', (each) => {
      if (each.headers()['x-renewal'] !== undefined) renewals.push(each.url());
    });
    await page.clock.install();
    await page.goto(`${house.gateway.origin}/staff`);
    const old = page.locator('h1[data-old]');
    const mark = () => page.locator('h1').evaluate((each) => (each.dataset['old'] = ''));
    await mark();
    await page.getByRole('link', { name: 'More charts' }).focus();
    const scrolled = await page.evaluate(() => scrollY);
    await page.clock.runFor(15_000);
    await old.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => [document.activeElement?.textContent, scrollY])).toEqual([
      'More charts',
      scrolled,
    ]);
    await mark();
    await page.getByLabel('Search').fill('gen_');
    await page.clock.runFor(45_000);
    expect([await old.count(), renewals.length]).toEqual([1, 1]);

    const chart = page.locator('.chart').first();
    const told = chart.locator('output');
    const tells = (words: RegExp) =>
      expectSoon(async () => words.test(await told.innerText()), true);
    await chart.locator('svg').focus();
    await tells(/^1 min ago: completed \d+, failed \d+$/);
    await page.keyboard.press('ArrowLeft');
    await tells(/^2 min ago: /);
    await chart.locator('svg').hover();
    await tells(/^\d\d min ago: /);

    await page.getByRole('link', { name: 'More charts' }).focus();
    await page.route('**/staff', (route) => route.abort());
    await page.clock.runFor(15_000);
    await page.getByText('This page no longer refreshes automatically. Read at').waitFor();
    await context.close();
  }, 300_000);

  test('no script fails and nothing is blocked', async () => {
    for (const page of Object.values(house.pages)) await page.close();
    expect(house.trouble).toEqual([]);
  });
});
