import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { inspectPage } from './support/inspectPage.ts';
import { newPerson, openBrowser } from './support/openBrowser.ts';
import { signUpInBrowser } from './support/signUpInBrowser.ts';
import { password } from '../site/support/signUpVerified.ts';

let gateway: TestGateway;
let browser: Browser;
let page: Page;
let trouble: string[];

beforeAll(async () => {
  [gateway, browser] = await Promise.all([startTestGateway({ ROLE: 'api' }), openBrowser()]);
  ({ page, trouble } = await newPerson(browser));
});
afterAll(async () => {
  await browser.close();
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

test('a password is shown while its button is pressed, and sent as a password', async () => {
  await signUpInBrowser(page, gateway, 'ada@example.com');
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  for (const path of ['/sign-in', '/staff/sign-in']) {
    await page.goto(gateway.origin + path);
    const field = page.getByLabel('Password', { exact: true });
    await field.fill(password);
    await field.press('Tab');
    // The next stop of the keyboard.
    await page.keyboard.press('Space');
    expect(await field.getAttribute('type')).toBe('text');
    const button = page.getByRole('button', { name: 'Show', exact: true });
    expect(await button.getAttribute('aria-pressed')).toBe('true');
    expect(await inspectPage(page, `password-shown${path.replaceAll('/', '-')}`)).toEqual([]);
    await button.click();
    expect(await field.getAttribute('type')).toBe('password');
  }
  await page.goto(`${gateway.origin}/sign-in`);
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.evaluate(() => {
    document.addEventListener('submit', (event) => {
      event.preventDefault();
      document.title = String(document.querySelector('[name="password"]')?.getAttribute('type'));
    });
  });
  await page.getByRole('button', { name: 'Sign in' }).click();
  expect(await page.title()).toBe('password');
});

test('no script fails and nothing is blocked', () => {
  expect(trouble).toEqual([]);
});
