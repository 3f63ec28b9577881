import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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
 * Tasks of users, with the clicks that each takes; docs/peers.md shows the count. Tasks outside of a
 * page are held elsewhere: the samples of /docs by test/clients/docsSamples.acceptance.ts, n8n by test/n8n,
 * Zapier by test/zapier; going on from a lost task that the provider has by test/staff/adoptById.test.ts.
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
const measured: { told: [who: string, name: string, clicks: string]; scrolled: number }[] = [];

beforeAll(async () => {
  browser = await openBrowser();
  house = await furnish(browser, { AUTO_APPROVED_HOSTS: '*.files.example' });
  const { page } = await newPerson(browser, { javaScriptEnabled: false });
  windows = { ...house.pages, withoutScript: page };
  for (const each of [windows.newcomer, windows.stranger]) {
    await each.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  }
  // How long the studio waits is meant for real providers, which take minutes.
  await windows.customer.addInitScript({ content: hurriedTimers });
});
afterAll(async () => {
  await browser.close();
  await house.close();
});

describe.each(Object.entries(tasks))('%s', (who, rows) => {
  test.each(rows)('$name (clicks: $most at most)', async ({ name, as, start, most, run }) => {
    const hand = createHand(windows[as]);
    if (as === 'stranger') await hand.page.context().clearCookies();
    const path = typeof start === 'string' ? start : await start(house);
    await hand.page.goto(house.bed.origin + path);
    await run(hand, house);
    expect(hand.count()).toBeLessThanOrEqual(most);
    measured.push({ told: [who, name, String(hand.count())], scrolled: hand.scrolled() });
  });
});

test('the documentation states the counted clicks, and how far one scrolls at most', async () => {
  const text = await readFile(join(import.meta.dirname, '../../docs/peers.md'), 'utf8');
  const [, part = ''] = text.split('## Clicks per task\n');
  const lines = part.split('\n').filter((line) => line.startsWith('|'));
  const told = lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  expect(told.map((cells) => cells.slice(0, 3))).toEqual(measured.map((each) => each.told));
  const further = measured.flatMap(({ told: [, name], scrolled }, index) =>
    scrolled <= Number(told[index]?.[3]?.replace(' px', '')) ? [] : [`${name}: ${scrolled} px`],
  );
  expect(further).toEqual([]);
});

test('no script failed and nothing was blocked on the way', async () => {
  for (const page of Object.values(house.pages)) await page.close();
  expect(house.trouble).toEqual([]);
});
