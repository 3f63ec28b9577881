import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type SignOnWorld, startSignOnWorld } from '../signOn/support/signOnWorld.ts';
import { inspectEverywhere } from './support/inspectPage.ts';
import { newPerson, openBrowser } from './support/openBrowser.ts';

/* Signing in and out at a real OpenID Connect provider, in a real browser. */

let world: SignOnWorld;
let browser: Browser;
beforeAll(async () => {
  [world, browser] = await Promise.all([startSignOnWorld(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await world.stop();
});

test('by keyboard to the provider and back; each page fits at three widths, light and dark', async () => {
  const { page, trouble } = await newPerson(browser);
  const { origin } = world.gateway;
  const problems: string[] = [];
  const look = async (name: string) => {
    problems.push(...(await inspectEverywhere(page, `sign-on-${name}`)));
  };
  const way = page.getByRole('link', { name: 'Sign in with Example ID' });

  world.provider.person = { sub: 'eve', email: 'eve@example.com', email_verified: false };
  await page.goto(`${origin}/sign-in?next=/credits`);
  await look('both');
  await way.click();
  await page.getByText("hasn't verified your email address").waitFor();
  await look('refused');

  // The provider keeps its own session: someone else comes with another browser.
  const ada = await newPerson(browser);
  world.provider.person = { sub: 'ada', email: 'ada@example.com', email_verified: true };
  await ada.page.goto(`${origin}/sign-in?next=/credits`);
  await ada.page.getByRole('link', { name: 'Sign in with Example ID' }).focus();
  await ada.page.keyboard.press('Enter');
  await ada.page.waitForURL(`${origin}/credits`);
  await ada.page.goto(`${origin}/settings/account`);
  problems.push(...(await inspectEverywhere(ada.page, 'sign-on-account')));
  await ada.page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await ada.page.getByRole('link', { name: /Example ID/ }).waitFor();
  problems.push(...(await inspectEverywhere(ada.page, 'sign-on-signed-out')));

  expect(problems).toEqual([]);
  expect([...trouble, ...ada.trouble]).toEqual([]);
}, 300_000);
