import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { projectRoot } from '../support/runNode.ts';
import { inspectEverywhere } from './support/inspectPage.ts';
import { newPerson } from './support/openBrowser.ts';
import { useCustomer } from './support/useCustomer.ts';

const customer = useCustomer({
  BRAND_FILE: join(projectRoot, 'docs/examples/brand/brand.json'),
  SIGNUP_CREDITS: '5000',
});
let stranger: Page;
let trouble: string[];
beforeAll(async () => {
  ({ page: stranger, trouble } = await newPerson(customer().browser));
});

const inspected = async (page: Page, path: string, name: string) => {
  await page.goto(customer().gateway.origin + path);
  return inspectEverywhere(page, `brand-${name}`);
};

test('branded pages are easy to read and fit, light and dark, and load nothing that their policy forbids', async () => {
  const { page } = customer();
  expect(await inspected(stranger, '/', 'start')).toEqual([]);
  expect(await inspected(stranger, '/sign-in', 'sign-in')).toEqual([]);
  expect(await inspected(stranger, '/docs', 'docs')).toEqual([]);
  expect(await inspected(stranger, '/no-such-page', 'no-such-page')).toEqual([]);
  expect(await inspected(stranger, '/staff/sign-in', 'staff')).toEqual([]);
  expect(await inspected(page, '/studio', 'studio')).toEqual([]);
  expect(await inspected(page, '/settings/public-api', 'keys')).toEqual([]);
  expect(await inspected(page, '/settings/account', 'account')).toEqual([]);
  expect([...trouble, ...customer().trouble]).toEqual([]);
}, 300_000);

test('the logo of the scheme is shown, and a button has the colours of the brand', async () => {
  await stranger.goto(`${customer().gateway.origin}/`);
  const logo = stranger.locator('.brand img');
  const button = stranger.locator('.start button');
  const shows = async (scheme: 'light' | 'dark', path: string) => {
    await stranger.emulateMedia({ colorScheme: scheme });
    // The browser loads the other picture after it has drawn the page again.
    await stranger.waitForFunction(
      (wanted) =>
        document.querySelector<HTMLImageElement>('.brand img')?.currentSrc.endsWith(wanted),
      path,
    );
    expect(await logo.boundingBox()).toMatchObject({ width: 26, height: 26 });
    return button.evaluate((element) => {
      const { backgroundColor, color } = getComputedStyle(element);
      return [backgroundColor, color];
    });
  };
  expect(await shows('dark', '/site/logo-dark.svg')).toEqual([
    'rgb(185, 165, 255)',
    'rgb(26, 15, 61)',
  ]);
  expect(await shows('light', '/site/logo.svg')).toEqual([
    'rgb(91, 43, 217)',
    'rgb(255, 255, 255)',
  ]);
});

test('a logo opened by itself runs nothing', async () => {
  const response = await stranger.goto(`${customer().gateway.origin}/site/logo.svg`);
  expect(response?.headers()['content-security-policy']).toContain('sandbox');
  expect(await stranger.evaluate('self.origin')).toBe('null');
});
