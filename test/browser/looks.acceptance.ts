import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { testTogether } from '../support/testTogether.ts';
import { overBudget, pages } from './pages.ts';
import { furnish, type House, type Who } from './support/furnish.ts';
import { inspectEverywhere } from './support/inspectPage.ts';
import { desk, newPerson, openBrowser } from './support/openBrowser.ts';
import { weigh } from './support/weigh.ts';

let browser: Browser;
let house: House;
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
    const address = house.bed.origin + listed.path(house);
    problems.push(...overBudget(listed, await weigh(page, address)));
    problems.push(...(await inspectEverywhere(page, listed.name)));
  }
  return problems;
}

describe('each page keeps its budget; at three widths, light and dark, axe finds nothing serious and nothing is too wide', () => {
  // Each person has a window of their own: a second core looks at another's pages meanwhile.
  const inspections = people.map(
    (who) => [`pages of a ${who}`, async () => expect(await inspectAll(who)).toEqual([])] as const,
  );
  testTogether(Object.fromEntries(inspections), 900_000);

  test('the page behind an enrolment link', async () => {
    const { page } = await newPerson(browser);
    const sent = page.waitForResponse((answer) => answer.request().method() === 'POST');
    await page.goto(house.bed.origin + house.enrolPath);
    await page.locator('#secret').waitFor();
    const { responseBodySize } = await (await sent).request().sizes();
    expect(responseBodySize).toBeLessThan(24_000);
    expect(await inspectEverywhere(page, 'staff-enrol-code')).toEqual([]);
    await page.close();
  }, 300_000);

  test('the documentation is the same for everyone', async () => {
    const texts = await Promise.all(
      people.map(async (who) => {
        const answer = await house.pages[who].request.get(`${house.bed.origin}/docs`);
        return answer.text();
      }),
    );
    expect(new Set(texts).size).toBe(1);
  });

  test('the actions of a result are in one row, which wraps on a phone', async () => {
    const { customer } = house.pages;
    await customer.goto(`${house.bed.origin}/generations/${house.made.completed}`);
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
    await staff.goto(`${house.bed.origin}/staff/generations/${house.made.failed}`);
    const table = staff.locator('section', { hasText: "Provider's message" }).locator('.wide');
    const [all, shown] = await table.evaluate((each) => [each.scrollWidth, each.clientWidth]);
    expect(all).toBe(shown);
  });

  test('no script failed and nothing was blocked on the way', async () => {
    for (const page of Object.values(house.pages)) await page.close();
    expect(house.trouble).toEqual([]);
  });
});
