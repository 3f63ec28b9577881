import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { hurriedTimers } from '../support/hurry.ts';
import { furnish, type House } from './support/furnish.ts';
import { newPerson, openBrowser } from './support/openBrowser.ts';
import { accountTasks } from './tasks/account.ts';
import { developerTasks } from './tasks/developer.ts';
import { operatorTasks } from './tasks/operator.ts';
import { resultTasks } from './tasks/results.ts';
import { studioTasks } from './tasks/studio.ts';
import { supportTasks } from './tasks/support.ts';
import { createHand, type Task } from './tasks/task.ts';

/*
 * Tasks of users, with the clicks that each may take. Tasks outside of a page are tested elsewhere: the samples
 * of /docs in test/clients/docsSamples.acceptance.ts, n8n in test/n8n, Zapier in test/zapier, and continuing a
 * lost task that the provider has in test/staff/adoptById.test.ts.
 */
const tasks: Record<string, readonly Task[]> = {
  customer: [...accountTasks, ...studioTasks, ...resultTasks],
  support: supportTasks,
  operator: operatorTasks,
  developer: developerTasks,
};

let browser: Browser;
let house: House;
let windows: Record<Task['as'], Page>;

beforeAll(async () => {
  browser = await openBrowser();
  house = await furnish(browser, { AUTO_APPROVED_HOSTS: '*.files.example' });
  const { page } = await newPerson(browser, { javaScriptEnabled: false });
  windows = { ...house.pages, withoutScript: page };
  for (const each of [windows.newcomer, windows.stranger]) {
    await each.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  }
  // The studio's waits are meant for real providers, which take minutes.
  await windows.customer.addInitScript({ content: hurriedTimers });
});
afterAll(async () => {
  await browser.close();
  await house.close();
});

describe.each(Object.entries(tasks))('%s', (_who, rows) => {
  test.each(rows)('$name (clicks: $max at most)', async ({ as, start, max, scrolls = 0, run }) => {
    const hand = createHand(windows[as]);
    if (as === 'stranger') await hand.page.context().clearCookies();
    const path = typeof start === 'string' ? start : await start(house);
    await hand.page.goto(house.gateway.origin + path);
    await run(hand, house);
    expect(hand.count()).toBeLessThanOrEqual(max);
    expect(hand.scrolled()).toBeLessThanOrEqual(scrolls);
  });
});

test('no script fails and nothing is blocked', async () => {
  for (const page of Object.values(house.pages)) await page.close();
  expect(house.trouble).toEqual([]);
});
