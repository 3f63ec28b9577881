import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { addStaff } from '../staff/browse.ts';
import { video } from '../support/bodies.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { enrolInBrowser } from './support/enrolInBrowser.ts';
import { inspectPage, overflow } from './support/inspectPage.ts';
import { newPerson, openBrowser } from './support/openBrowser.ts';
import { signUpInBrowser } from './support/signUpInBrowser.ts';

/* What cannot be undone, and what is paid for: nothing is done to what a person did not mean. */

let bed: TestGateway;
let browser: Browser;
let page: Page;
let trouble: string[];

beforeAll(async () => {
  [bed, browser] = await Promise.all([
    startTestGateway({ ROLE: 'api', SIGNUP_CREDITS: '500' }),
    openBrowser(),
  ]);
  ({ page, trouble } = await newPerson(browser));
  await signUpInBrowser(page, bed, 'ada@example.com');
});
afterAll(async () => {
  await browser.close();
  await bed.stop();
  expect(bed.errors).toEqual([]);
});

const narrow = { width: 320, height: 640 };

test('of a key and the one before it, the one that is named is revoked', async () => {
  await page.getByLabel('Name').fill('n8n');
  await page.getByLabel('Input hosts').fill('files.example.com');
  await page.getByRole('button', { name: 'Create key' }).click();
  const old = (await page.locator('#api-key').inputValue()).slice(-4);
  await page.getByRole('link', { name: 'To your keys' }).click();
  await page.getByRole('link', { name: 'Manage n8n' }).click();
  await page.getByText('Replace n8n').click();
  await page.getByRole('button', { name: 'Make the new key' }).click();
  const fresh = (await page.locator('#api-key').inputValue()).slice(-4);
  await page.getByRole('link', { name: 'To your keys' }).click();
  const rows = page.locator('.keys tbody tr');
  expect(await rows.count()).toBe(2);
  expect(await rows.nth(1).innerText()).toContain('Replaced:');
  await page.getByRole('link', { name: `Manage n8n …${old}` }).click();
  await page.getByText('Revoke').first().click();
  expect(await inspectPage(page, 'keys-replaced')).toEqual([]);
  await page.setViewportSize(narrow);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: `Revoke “n8n” …${old}` }).click();
  await page.getByText(`The key “n8n” …${old} is revoked.`).waitFor();
  expect(await page.locator('.keys').innerText()).toContain(fresh);
  expect(await rows.count()).toBe(1);
});

test('without JavaScript a price that the page did not show is asked about', async () => {
  const { context } = await newPerson(browser, { javaScriptEnabled: false });
  await context.addCookies(await page.context().cookies());
  const plain = await context.newPage();
  await plain.goto(`${bed.origin}/studio`);
  await plain.getByLabel('Prompt').fill('A paper boat');
  await plain.getByLabel('Seconds').fill('15');
  await plain.getByRole('button', { name: 'Create video · 50 credits' }).click();
  await plain.getByText('This costs 150 credits, which the page did not show').waitFor();
  await plain.getByRole('button', { name: 'Create video · 150 credits' }).click();
  await plain.getByRole('heading', { name: 'Your video' }).waitFor();
  await plain.getByRole('link', { name: '350 credits available' }).waitFor();
});

test('staff see what they fail and to whom, by keyboard alone', async () => {
  const customer = await bed.addAccount({ email: 'grace@example.com' });
  const id = String((await customer.post('/v1/videos', video({}))).json['id']);
  const { page: desk, trouble: troubleAtDesk } = await newPerson(browser);
  const { password, link } = await addStaff(bed, 'support');
  await desk.goto(bed.origin + (await link()));
  await enrolInBrowser(desk, password);
  await desk.goto(`${bed.origin}/staff/generations/${id}`);
  await desk.getByRole('link', { name: 'Fail and refund' }).press('Enter');
  await desk.getByRole('heading', { name: 'Fail and refund' }).waitFor();
  const words = await desk.locator('main').innerText();
  for (const word of ['grace@example.com', '30 credits', 'alpha-2.0-mini', 'queued for']) {
    expect([word, words.includes(word)]).toEqual([word, true]);
  }
  const button = desk.getByRole('button', { name: 'Fail and refund 30 credits' });
  const red = await button.evaluate((element) => getComputedStyle(element).backgroundColor);
  const usual = await desk
    .getByRole('button', { name: 'Search' })
    .evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(red).not.toBe(usual);
  expect(await inspectPage(desk, 'staff-fail')).toEqual([]);
  await desk.setViewportSize(narrow);
  expect(await overflow(desk)).toBeLessThanOrEqual(0);
  await desk.getByLabel('Why, for the audit log').fill('asked by mail');
  await desk.getByLabel('Why, for the audit log').press('Enter');
  await desk.getByText('Failed, and 30 credits were given back.').first().waitFor();
  expect(troubleAtDesk).toEqual([]);
});

test('no script failed and nothing was blocked on the way', () => {
  expect(trouble).toEqual([]);
});
