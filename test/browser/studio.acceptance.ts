import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { choose } from './support/choose.ts';
import { expectSoon } from './support/expectSoon.ts';
import { inspectPage, overflow } from './support/inspectPage.ts';
import { desk, newPerson, phone } from './support/openBrowser.ts';
import { type Customer, useCustomer } from './support/useCustomer.ts';

const customer = useCustomer({
  ROLE: 'api',
  SIGNUP_CREDITS: '100',
  CREDITS_URL: 'https://shop.example/credits',
});
let { gateway, browser, page, trouble } = {} as Customer;
beforeAll(() => {
  ({ gateway, browser, page, trouble } = customer());
});

const create = () => page.locator('#create').innerText();
const focused = () => page.evaluate(() => document.activeElement?.id);

test('the price follows each key, without the server, and is announced', async () => {
  await page.goto(`${gateway.origin}/studio`);
  await expectSoon(create, 'Create video · 50 credits');
  await expectSoon(() => page.locator('#field-prompt-hint').innerText(), 'Up to 3,500 characters');
  // Marked to prove that it stays the same element: screen readers do not announce a replaced one.
  const status = page.locator('#price [role="status"]');
  await status.evaluate((element) => element.setAttribute('data-mark', 'first'));
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.method()));
  await page.getByLabel('Seconds').fill('15');
  await expectSoon(create, 'Create video · 150 credits');
  await expectSoon(() => status.innerText(), '150 credits You have 100.');
  await page.getByRole('link', { name: 'Get credits' }).waitFor();
  expect(await inspectPage(page, 'studio-short')).toEqual([]);
  await page.getByLabel('Seconds').fill('16');
  await expectSoon(create, 'Create video');
  await page.getByLabel('Seconds').fill('7');
  await page.getByLabel('With sound').check();
  await expectSoon(create, 'Create video · 88 credits');
  await page.getByRole('link', { name: 'Get credits' }).waitFor({ state: 'hidden' });
  await expectSoon(() => page.locator('input[name="shown_credits"]').inputValue(), '88');
  expect(sent).toEqual([]);
  await choose(page, 'Model', 'image-b-2');
  await page.getByLabel('Images').fill('3');
  await expectSoon(create, 'Create images · 18 credits');
  expect(await status.getAttribute('data-mark')).toBe('first');
});

test('text typed while new options load stays; without them no price is promised', async () => {
  await page.goto(`${gateway.origin}/studio`);
  let letCome: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letCome = resolve));
  await page.route('**/studio', (route) => held.then(() => route.continue()));
  await choose(page, 'Model', 'alpha-2.5');
  await expectSoon(create, 'Create video');
  await page.getByLabel('Prompt').fill('typed meanwhile');
  await page.getByLabel('Seconds').fill('6');
  letCome();
  await page.locator('option[value="1080p"]').waitFor({ state: 'attached' });
  await page.waitForFunction(() =>
    /credits/.test(document.getElementById('create')?.innerText ?? ''),
  );
  expect(await page.getByLabel('Prompt').inputValue()).toBe('typed meanwhile');
  expect(await page.getByLabel('Seconds').inputValue()).toBe('6');
  await page.unroute('**/studio');
  await page.route('**/studio', (route) => route.abort());
  await choose(page, 'Model', 'alpha-2.0-fast');
  await page.getByText("We couldn't load the price").waitFor();
  await expectSoon(create, 'Create video');
  await page.unroute('**/studio');
});

test('the focus stays at a picked sample, and moves to a wrong field, which is marked', async () => {
  await page.goto(`${gateway.origin}/studio`);
  await choose(page, 'Mode', 'image-to-video');
  await page.getByRole('button', { name: 'Use balloons' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => {
    const field = document.getElementById('field-first-frame');
    return field instanceof HTMLInputElement && field.value !== '';
  });
  await expectSoon(focused, 'sample-balloons.jpg');
  await page.getByLabel('Seconds').fill('99');
  await page.getByRole('button', { name: 'Create video' }).click();
  await page.getByRole('alert').waitFor();
  await expectSoon(focused, 'problems');
  const seconds = page.getByLabel('Seconds');
  const border = (element: Element) => getComputedStyle(element).borderTopColor;
  const usual = await page.locator('.field-row:has(#field-parameters-resolution)').evaluate(border);
  const wrong = await page.locator('#field-prompt').evaluate(border);
  expect(await page.locator('.field-row', { has: seconds }).last().evaluate(border)).toBe(wrong);
  expect(wrong).not.toBe(usual);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await overflow(page)).toBeLessThanOrEqual(0);
});

test('an example, a shape, a length and a resolution take one click each, by mouse or by keyboard', async () => {
  await page.goto(`${gateway.origin}/studio`);
  await page.getByRole('button', { name: 'Slow flight over a mountain lake' }).click();
  await page.waitForFunction(() => {
    const field = document.getElementById('field-prompt');
    return field instanceof HTMLTextAreaElement && field.value.startsWith('Slow flight');
  });
  await choose(page, 'Aspect ratio', '9:16');
  await choose(page, 'Resolution', '480p');
  await page.getByLabel('Seconds').fill('9');
  await expectSoon(create, 'Create video · 45 credits');
  await page.getByRole('switch', { name: 'With sound' }).focus();
  await page.keyboard.press('Space');
  await expectSoon(create, 'Create video · 57 credits');
  await page.getByLabel('Resolution').press('ArrowDown');
  await expectSoon(create, 'Create video · 113 credits');
  expect(await inspectPage(page, 'studio-composer')).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 860 });
});

test('the same request is one click away in four languages, without a key', async () => {
  await page.goto(`${gateway.origin}/studio`);
  await page.getByLabel('Prompt').fill('A boat of "paper"');
  await page.getByText('View as code').click();
  const code = page.locator('#code');
  await code.getByText('A boat of').first().waitFor();
  await code.getByRole('radio', { name: 'TypeScript' }).check();
  const shown = code.locator('pre:visible');
  await code.locator('pre:visible', { hasText: 'framegate.videos.createAndWait' }).waitFor();
  await choose(page, 'Resolution', '480p');
  await shown.getByText('480p').waitFor();
  expect(await code.innerText()).not.toMatch(/fg_live_[0-9A-Za-z]{6}/);
  expect(await inspectPage(page, 'studio-code')).toEqual([]);
});

/** Whether all choices of the row are in sight. */
const showsAllChips = (on: Page) =>
  on.locator('#chips > div').evaluate((row) => row.scrollHeight === row.clientHeight);

test('on a phone, "More" shows the choices that do not fit', async () => {
  await page.setViewportSize(phone);
  await page.goto(`${gateway.origin}/studio`);
  expect(await showsAllChips(page)).toBe(false);
  await page.locator('#chip-more > summary').click();
  await expectSoon(() => showsAllChips(page), true);
  expect(await inspectPage(page, 'studio-more')).toEqual([]);
  await page.setViewportSize(desk);
});

test('without JavaScript, a price that the page did not show needs a confirmation', async () => {
  const { context, page: plain } = await newPerson(browser, { javaScriptEnabled: false });
  await context.addCookies(await page.context().cookies());
  await plain.setViewportSize(phone);
  await plain.goto(`${gateway.origin}/studio`);
  expect(await showsAllChips(plain)).toBe(true);
  await plain.getByLabel('Prompt').fill('A paper boat');
  await plain.getByLabel('Seconds').fill('9');
  await plain.getByRole('button', { name: 'Create video · 50 credits' }).click();
  await plain.getByText('This costs 90 credits, a different price').waitFor();
  await plain.getByRole('button', { name: 'Create video · 90 credits' }).click();
  await plain.locator('#feed .request').waitFor();
  await plain.getByRole('link', { name: '10 credits available' }).waitFor();
});

test('no script fails and nothing is blocked', () => {
  // Connections that this test cut off itself.
  expect(trouble.filter((line) => !line.includes('net::ERR_FAILED'))).toEqual([]);
});
