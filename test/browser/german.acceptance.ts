import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { furnish, type House } from './support/furnish.ts';
import { inspectEverywhere } from './support/inspectPage.ts';
import { openBrowser } from './support/openBrowser.ts';

/* German words are longer than English ones: pages hold them at every width, and scripts speak German as well. */

let browser: Browser;
let house: House;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
  house = await furnish(browser);
  page = house.pages.customer;
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await page.locator('html[lang=de]').waitFor();
});
afterAll(async () => {
  await browser.close();
  await house.close();
});

test('nothing overflows at three widths, light and dark', async () => {
  const { made } = house;
  const paths = {
    studio: '/studio',
    inputs: `/studio?frame=${made.images}`,
    history: '/history',
    delete: `/history/delete?id=${made.completed}&id=${made.images}`,
    compare: `/history/compare?id=${made.completed}&id=${made.images}`,
    running: `/generations/${made.running}`,
    failed: `/generations/${made.failed}`,
    images: `/generations/${made.images}`,
    completed: `/generations/${made.completed}`,
    share: `/generations/${made.completed}/share`,
  };
  const problems: string[] = [];
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(house.gateway.origin + path);
    problems.push(...(await inspectEverywhere(page, `german-${name}`)));
  }
  expect(problems).toEqual([]);
}, 600_000);

test('scripts write times, prices and counts in German', async () => {
  await page.goto(`${house.gateway.origin}/history`);
  await page
    .locator('.wall time', { hasText: /^(gerade eben|vor \d+ )/ })
    .first()
    .waitFor();
  await page.locator('.wall input').first().check();
  await page.getByText('1 ausgewählt').waitFor();

  await page.goto(`${house.gateway.origin}/studio`);
  await page.getByLabel('Prompt').fill('Ein Boot\nEin Haus');
  await page.getByText('17 von 3.500 Zeichen').waitFor();
  await page.getByRole('combobox', { name: 'Aufträge' }).selectOption('Einer pro Zeile');
  await page.getByText('2 von 20 Zeilen').waitFor();
  await page.getByRole('button', { name: /^2 Videos erstellen · \d+ Credits$/ }).waitFor();
  await page.getByText(/^von deinen 4\.\d{3}$/).waitFor();
}, 120_000);
