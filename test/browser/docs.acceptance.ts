import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { expectSoon } from './support/expectSoon.ts';
import { newPerson, openBrowser } from './support/openBrowser.ts';

let gateway: TestGateway;
let browser: Browser;

beforeAll(async () => {
  [gateway, browser] = await Promise.all([startTestGateway({ ROLE: 'api' }), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

/** The documentation, with the list of its failures. */
async function openDocs(options: Parameters<Browser['newContext']>[0] = {}) {
  const person = await newPerson(browser, options);
  await person.page.goto(`${gateway.origin}/docs`);
  return person;
}

const create = (page: Page) => page.locator('#createVideo .samples fieldset').first();
const current = (page: Page) => page.locator('nav [aria-current]').innerText();

test('at 320 pixels code is broken into lines, not cut at the edge', async () => {
  const { context, page, trouble } = await openDocs();
  await page.setViewportSize({ width: 320, height: 700 });
  const cut = await page.evaluate(
    () =>
      [...document.querySelectorAll('pre')].filter((pre) => pre.scrollWidth > pre.clientWidth)
        .length,
  );
  expect(cut).toBe(0);
  expect(trouble).toEqual([]);
  await context.close();
});

test('a language chosen by the keyboard applies everywhere', async () => {
  const { context, page, trouble } = await openDocs();
  await create(page).getByRole('radio', { name: 'curl' }).focus();
  await page.keyboard.press('ArrowRight');
  await create(page).locator('pre:visible', { hasText: 'createAndWait' }).waitFor();
  await page.keyboard.press('ArrowRight');
  await create(page).locator('pre:visible', { hasText: 'create_and_wait' }).waitFor();
  const other = page.locator('#getCreditBalance fieldset pre:visible');
  expect(await other.innerText()).toContain('client.credits.balance()');
  expect(trouble).toEqual([]);
  await context.close();
});

test('code is copied verbatim', async () => {
  const { context, page } = await openDocs({ permissions: ['clipboard-read', 'clipboard-write'] });
  const sample = create(page).locator('pre:visible');
  await sample.getByRole('button', { name: 'Copy' }).click();
  // The message appears once the text is in the clipboard.
  await page.getByRole('status').getByText('Copied').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await sample.locator('code').textContent());
  expect(copied).toContain(`${gateway.origin}/v1/videos`);
  await context.close();
});

test('search finds operations, fields and error codes, and leads there', async () => {
  const { context, page, trouble } = await openDocs();
  const search = page.getByRole('searchbox', { name: 'Search' });
  const first = page.locator('#search li a').first();
  const results = () => page.locator('#search li a').count();
  const isFirst = (words: string) =>
    expectSoon(async () => (await first.innerText()).includes(words), true);

  await search.fill('insufficient_credits');
  await isFirst('insufficient_credits');
  await first.click();
  await page.locator('#error-insufficient_credits').waitFor();
  expect(page.url()).toContain('#error-insufficient_credits');

  await search.fill('consent_reference');
  await isFirst('compliance.consent_reference');
  await search.focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const field = page.locator('#createVideo .field', { hasText: 'consent_reference' });
  await field.waitFor();
  const top = () => field.evaluate((each) => each.getBoundingClientRect().top);
  await expectSoon(async () => (await top()) < 400, true);

  await search.fill('read balance');
  await isFirst('Read the credit balance');
  await search.fill('nothing is called so');
  await expectSoon(results, 0);
  await expectSoon(() => page.getByRole('status').innerText(), '0 found');
  await search.fill('');
  await expectSoon(results, 0);
  expect(trouble).toEqual([]);
  await context.close();
});

test('the contents mark the current section', async () => {
  const { context, page } = await openDocs();
  await expectSoon(() => current(page), 'Guides');
  await page.getByRole('link', { name: 'Credits and refunds' }).click();
  await page.waitForFunction(
    () => document.querySelector('nav [aria-current]')?.textContent === 'Credits and refunds',
  );
  await page.locator('#createImage').scrollIntoViewIfNeeded();
  await page.evaluate(() => document.getElementById('createImage')?.scrollIntoView());
  await page.waitForFunction(() =>
    document.querySelector('nav [aria-current]')?.textContent?.includes('Create images'),
  );
  await context.close();
});

test('without a script every text, working tabs and no empty controls remain', async () => {
  const { context, page, trouble } = await openDocs({ javaScriptEnabled: false });
  expect(await page.getByRole('button').count()).toBe(0);
  expect(await page.getByRole('searchbox').count()).toBe(0);
  await create(page).getByRole('radio', { name: 'Python' }).check();
  await create(page).locator('pre:visible', { hasText: 'create_and_wait' }).waitFor();
  await page.getByRole('link', { name: 'Idempotency', exact: true }).click();
  await page.getByText('Never use a new key for a retry').waitFor();
  expect(trouble).toEqual([]);
  await context.close();
});

test('the first paint comes within a second on a slow line: 400 ms, 50 kB/s', async () => {
  const { context, page } = await newPerson(browser);
  const line = await context.newCDPSession(page);
  const throughput = 50_000;
  await line.send('Network.enable');
  await line.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
  await page.goto(`${gateway.origin}/docs`);
  const paint = await page.evaluate(
    () =>
      performance.getEntriesByName('first-contentful-paint')[0]?.startTime ??
      Number.POSITIVE_INFINITY,
  );
  // Only the page itself is awaited, so the result does not depend on the machine's speed.
  const blocking = await page.evaluate(() =>
    (
      performance.getEntriesByType('resource') as (PerformanceResourceTiming & {
        renderBlockingStatus: string;
      })[]
    )
      .filter(({ renderBlockingStatus }) => renderBlockingStatus === 'blocking')
      .map(({ name }) => name),
  );
  process.stderr.write(`/docs: first contentful paint after ${String(Math.round(paint))} ms\n`);
  expect(blocking).toEqual([]);
  await context.close();
});
