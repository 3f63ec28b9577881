import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { codeOf } from '../staff/browse.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { inspectEverywhere } from './support/inspectPage.ts';
import { newPerson, openBrowser } from './support/openBrowser.ts';
import { signUpInBrowser } from './support/signUpInBrowser.ts';
import { password } from '../site/support/signUpVerified.ts';

let browser: Browser;
let gateway: TestGateway;
beforeAll(async () => {
  browser = await openBrowser();
  gateway = await startTestGateway({ ROLE: 'api' });
});
afterAll(async () => {
  await browser.close();
  await gateway.stop();
});

const email = 'ada@example.com';
const path = '/settings/account/second-factor';

/** The password and a code, typed into the page's form. */
async function fill(page: Page, code: string): Promise<void> {
  await page.getByLabel('Your password').fill(password);
  await page.getByLabel(/^Code/).fill(code);
}

test('a customer turns it on, signs in with it and turns it off, and each page passes the visual check', async () => {
  const { page, trouble } = await newPerson(browser);
  await signUpInBrowser(page, gateway, email);
  await page.goto(`${gateway.origin}/settings/account`);
  await page.getByRole('link', { name: 'Turn on' }).click();
  const secret = ((await page.locator('#secret').textContent()) ?? '').replaceAll(' ', '');
  await fill(page, codeOf(secret));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  const problems = await inspectEverywhere(page, 'recovery-codes');
  const codes = ((await page.locator('#recovery-codes').textContent()) ?? '').trim().split('\n');
  expect(codes).toHaveLength(10);
  await page.goto(gateway.origin + path);
  problems.push(...(await inspectEverywhere(page, 'second-factor-on')));

  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
  problems.push(...(await inspectEverywhere(page, 'code')));
  await page.getByLabel('Code').fill('000000');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('#problems').waitFor();
  problems.push(...(await inspectEverywhere(page, 'code-wrong')));
  await page.getByLabel('Code').fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${gateway.origin}/studio`);

  await page.goto(gateway.origin + path);
  await fill(page, codes[1] ?? '');
  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByText('Two-factor authentication is off').waitFor();
  expect(problems).toEqual([]);
  expect(trouble).toEqual([]);
});
