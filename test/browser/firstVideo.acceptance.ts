import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { requests, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { choose } from './support/choose.ts';
import { expectSoon } from './support/expectSoon.ts';
import { inspectPage } from './support/inspectPage.ts';
import { newPerson, openBrowser } from './support/openBrowser.ts';
import { signUpInBrowser } from './support/signUpInBrowser.ts';
import { password } from '../site/support/signUpVerified.ts';

let gateway: TestGateway;
let browser: Browser;
let page: Page;
let trouble: string[];
const email = 'ada@example.com';

beforeAll(async () => {
  [gateway, browser] = await Promise.all([
    startTestGateway({ SIGNUP_CREDITS: '500', AUTO_APPROVED_HOSTS: '*.files.example' }),
    openBrowser(),
  ]);
  ({ page, trouble } = await newPerson(browser));
});
afterAll(async () => {
  await browser.close();
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

/** In the order of a stranger's first minutes; each step continues where the last one ended. */
describe('from a stranger to the first finished video', () => {
  test('a failed sign-up shows the error, by keyboard alone', async () => {
    await page.goto(`${gateway.origin}/sign-up`);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.getByLabel('Email').focus();
    await page.keyboard.type('not an address');
    await page.keyboard.press('Tab');
    await page.keyboard.type('short');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe('not an address');
    expect(await page.getByLabel('Email').getAttribute('aria-invalid')).toBe('true');
    expect(await inspectPage(page, 'sign-up-problems')).toEqual([]);
  });

  test('a double click creates one working key, which is shown once', async () => {
    await signUpInBrowser(page, gateway, email);
    await page.getByRole('link', { name: 'API keys', exact: true }).click();
    await page.getByLabel('Name').fill('n8n');
    await page.getByLabel('Input hosts').fill('a.files.example\nmedia.other.example');
    await page.locator('#new [name=current_password]').fill(password);
    await page.getByRole('button', { name: 'Create key' }).dblclick();
    await page.getByRole('heading', { name: 'Your new key' }).waitFor();
    expect(await inspectPage(page, 'key-made')).toEqual([]);
    const apiKey = await page.locator('#api-key').inputValue();
    expect(apiKey).toMatch(/^fg_live_[0-9A-Za-z]{38}$/);
    const { json } = await requests(gateway.origin, apiKey).get('/v1/credits/balance');
    expect(json['available']).toBe(500);
    await page.getByRole('link', { name: 'Go to your keys' }).click();
    await page.getByRole('heading', { name: 'Your keys' }).waitFor();
    expect(await page.content()).not.toContain(apiKey);
    await expectSoon(() => page.locator('.keys tbody tr').count(), 1);
    expect(page.url()).not.toContain('fg_live');
  });

  test('a requested host shows its approval', async () => {
    await page.getByRole('link', { name: 'Manage n8n' }).click();
    await page.getByLabel('Request a host').fill('127.0.0.1');
    await page.getByRole('button', { name: 'Request', exact: true }).click();
    await page.locator('.inline .problem').waitFor();
    expect(await page.getByLabel('Request a host').inputValue()).toBe('127.0.0.1');
    await page.getByLabel('Request a host').fill('cdn.someone.example');
    await page.getByRole('button', { name: 'Request', exact: true }).click();
    await page.getByText('You requested cdn.someone.example').waitFor();
    const hosts = () => page.locator('.hosts li').allInnerTexts();
    await expectSoon(hosts, [
      'a.files.example approved',
      'media.other.example waiting for approval',
      'cdn.someone.example waiting for approval',
    ]);
  });

  test('the studio follows the choices, and shows the price before the button is pressed', async () => {
    await page.getByRole('link', { name: 'Studio', exact: true }).click();
    await page.getByLabel('Prompt').fill('The camera drifts slowly over the water');
    await choose(page, 'Model', 'beta-3.0');
    await page.getByLabel('Seconds (3 to 15)').waitFor();
    expect(await page.getByLabel('Prompt').inputValue()).toContain('The camera drifts');
    await choose(page, 'Model', 'alpha-2.0-mini');
    await page.getByLabel('Seconds (4 to 10)').waitFor();
    await expectSoon(() => page.getByLabel('With sound').count(), 0);
    await choose(page, 'Mode', 'image-to-video');
    await page.getByRole('button', { name: 'Use harbour at dusk' }).click();
    await page.waitForFunction(() => {
      const field = document.getElementById('field-first-frame');
      return field instanceof HTMLInputElement && field.value !== '';
    });
    await page.getByLabel('Seconds (4 to 10)').fill('4');
    await choose(page, 'Resolution', '480p');
    await page.getByText('12 credits', { exact: true }).waitFor();
    expect(await inspectPage(page, 'studio')).toEqual([]);
  });

  test('a double click makes one video, which shows its progress and then plays', async () => {
    await page.getByRole('button', { name: 'Create video' }).dblclick();
    await page.getByRole('progressbar').waitFor();
    await page.getByLabel('Prompt').fill('the next one');
    expect(await inspectPage(page, 'progress')).toEqual([]);
    const video = page.locator('#feed video');
    await video.waitFor({ timeout: 100_000 });
    expect(await page.getByLabel('Prompt').inputValue()).toBe('the next one');
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2);
    const seconds = await video.evaluate((element: HTMLVideoElement) => element.duration);
    expect(seconds).toBeGreaterThan(3.5);
    await video.evaluate((element: HTMLVideoElement) => element.play());
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.2);
    expect(await inspectPage(page, 'generation')).toEqual([]);
    const { generations } = gateway.collections;
    expect(await generations.countDocuments({ channel: 'pc' })).toBe(1);
  });

  test('images work as well, and history and ledger show both', async () => {
    await page.getByRole('link', { name: 'Studio', exact: true }).click();
    await choose(page, 'Model', 'image-b-2');
    await page.getByLabel('Images (1 to 4)').waitFor();
    await page.getByLabel('Prompt').fill('A lighthouse of glass, early morning');
    await page.getByRole('button', { name: 'Create image' }).click();
    const image = page.locator('#feed .request').first().locator('img');
    await image.waitFor({ timeout: 100_000 });
    const width = () => image.evaluate((element: HTMLImageElement) => element.naturalWidth);
    await expectSoon(async () => (await width()) > 500, true);
    await page.getByRole('link', { name: 'History' }).first().click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    await expectSoon(() => page.locator('.wall > li').count(), 2);
    expect(await inspectPage(page, 'history')).toEqual([]);
    await page.getByRole('link', { name: 'Credits', exact: true }).click();
    const amounts = () => page.locator('.ledger .amount').allInnerTexts();
    await expectSoon(amounts, ['−6', '−12', '+500']);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download all as CSV' }).click();
    expect((await download).suggestedFilename()).toBe('framegate-ledger.csv');
  });

  test('a refusal keeps the form and is shown at its field', async () => {
    await page.goto(`${gateway.origin}/studio`);
    // The studio begins with the model of the last order, which was an image.
    await choose(page, 'Model', 'alpha-2.0-fast');
    await page.getByLabel(/^Seconds \(/).waitFor();
    await choose(page, 'Mode', 'image-to-video');
    await page.getByRole('textbox', { name: 'First frame' }).fill('https://else.example/a.png');
    await page.getByLabel('Prompt').fill('kept');
    await page.getByRole('button', { name: 'Create video' }).click();
    await page.getByRole('alert').waitFor();
    expect(
      await page.getByRole('textbox', { name: 'First frame' }).getAttribute('aria-invalid'),
    ).toBe('true');
    expect(await page.getByLabel('Prompt').inputValue()).toBe('kept');
    expect(await inspectPage(page, 'studio-problems')).toEqual([]);
  });

  test('a choice made before the script loads is followed as well', async () => {
    let letCome: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letCome = resolve));
    await page.route('**/site/studio.js', (route) => held.then(() => route.continue()));
    await page.goto(`${gateway.origin}/studio`, { waitUntil: 'commit' });
    await choose(page, 'Model', 'alpha-2.0-fast');
    const seconds = page.getByLabel(/^Seconds \(/);
    expect(await seconds.count()).toBe(0);
    letCome();
    await seconds.waitFor();
    await page.unroute('**/site/studio.js');
  });

  test('the account page, another tab and the sign-out work', async () => {
    await page.goto(`${gateway.origin}/settings/account`);
    const second = await page.context().newPage();
    await second.goto(`${gateway.origin}/studio`);
    await second.getByLabel('Prompt').fill('typed before the end of the session');
    await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    // The other tab no longer shows the account, and leads to the sign-in.
    await second.getByRole('heading', { name: 'Sign in' }).waitFor();
    await second.getByLabel('Email').fill(email);
    await second.getByLabel('Password').fill(password);
    await second.getByRole('button', { name: 'Sign in' }).click();
    await second.getByRole('heading', { name: 'Studio' }).waitFor();
    expect(await second.getByLabel('Prompt').inputValue()).toBe('');
    // The first tab's form is older than the new session, but still valid.
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Studio' }).waitFor();
  });

  test('no script fails and nothing is blocked', () => {
    expect(trouble).toEqual([]);
  });
});
