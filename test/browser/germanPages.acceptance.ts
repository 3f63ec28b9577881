import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { password, signUpVerified } from '../site/support/signUpVerified.ts';
import { createVisitor } from '../site/support/visitor.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { inspectEverywhere } from './support/inspectPage.ts';
import { newPerson, openBrowser } from './support/openBrowser.ts';

let gateway: TestGateway;
let browser: Browser;
const email = 'ada.lovelace@example.com';
beforeAll(async () => {
  const settings = { ROLE: 'api', SIGNUP_CREDITS: '1000' };
  [gateway, browser] = await Promise.all([startTestGateway(settings), openBrowser()]);
  await signUpVerified(createVisitor(gateway.origin), gateway.dataDir, email);
});
afterAll(async () => {
  await browser.close();
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

test('German words, which are longer, fit on the account pages at three widths', async () => {
  const { page, trouble } = await newPerson(browser, { locale: 'de-DE' });
  const problems: string[] = [];
  const look = async (name: string, path?: string) => {
    if (path !== undefined) await page.goto(gateway.origin + path);
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    problems.push(...(await inspectEverywhere(page, `german-${name}`)));
  };
  await look('start', '/');
  await look('sign-up', '/sign-up');
  await look('sign-in', '/sign-in?next=/settings/public-api');
  await page.locator('[name=email]').fill(email);
  await page.locator('[name=password]').fill(password);
  await page.locator('main form button.button').click();
  await page.waitForURL('**/settings/public-api');
  await look('first-key');
  await page.locator('[name=name]').fill('Produktion');
  await page.locator('[name=daily_credits]').fill('500');
  await page.locator('#new [name=current_password]').fill(password);
  await page.locator('#new form button.button').click();
  await page.locator('#api-key').waitFor();
  await look('new-key');
  await look('keys', '/settings/public-api');
  await page.locator('table.keys a').first().click();
  await page.waitForURL('**/keys/*');
  await look('key');
  await look('credits', '/credits');
  await look('account', '/settings/account');
  await look('second-factor', '/settings/account/second-factor');
  expect(problems).toEqual([]);
  expect(trouble).toEqual([]);
}, 600_000);
