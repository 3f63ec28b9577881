import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { addStaff } from '../staff/browse.ts';
import type { TestGateway } from '../support/gateway.ts';
import { enrolWithPasskey } from './support/enrolInBrowser.ts';
import { inspectEverywhere } from './support/inspectPage.ts';
import { newPerson, openBrowser } from './support/openBrowser.ts';
import { addPasskeyDevice, startNamedGateway } from './support/virtualPasskey.ts';

let browser: Browser;
let gateway: TestGateway;
beforeAll(async () => {
  [browser, gateway] = await Promise.all([openBrowser(), startNamedGateway({ ROLE: 'api' })]);
});
afterAll(async () => {
  await browser.close();
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const problem = (page: Page) => page.locator('[role="alert"]:visible');

test('a staff member enrols, signs in and acts with a passkey, and reads each error', async () => {
  const { page, trouble } = await newPerson(browser);
  const device = await addPasskeyDevice(page);
  const problems: string[] = [];
  const look = async (name: string) => {
    problems.push(...(await inspectEverywhere(page, `passkey-${name}`)));
  };
  const { email, password, link } = await addStaff(gateway, 'admin');
  const customer = await gateway.addAccount({ credits: 0 });
  await page.goto(gateway.origin + (await link()));
  await page.getByText('This link works once').waitFor();
  await look('enrol');
  await enrolWithPasskey(page, password);

  await press(page, 'Sign out');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await device.recognise(false);
  await press(page, 'Sign in');
  await problem(page).getByText('No passkey was used').waitFor();
  await look('sign-in-cancelled');
  await device.recognise(true);
  await press(page, 'Sign in');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();

  await page.goto(`${gateway.origin}/staff/accounts/${customer.accountId}/goodwill`);
  await page.getByLabel('Credits').fill('40');
  await page.getByLabel('Reason').fill('an apology');
  await look('act');
  await press(page, 'Give goodwill credits');
  await page.getByRole('status').waitFor();
  expect((await customer.get('/v1/credits/balance')).json['available']).toBe(40);

  await page.goto(`${gateway.origin}/staff/passkeys`);
  await page.getByLabel('Passkey name').fill('Key of the safe');
  await press(page, 'Continue');
  await press(page, 'Create passkey');
  await problem(page).getByText('This passkey is already registered').waitFor();
  await look('make');
  await device.touch(false);
  const second = await addPasskeyDevice(page);
  await press(page, 'Create passkey');
  await page.getByRole('cell', { name: 'Key of the safe' }).waitFor();
  await look('list');

  await second.remove();
  await device.touch(true);
  await page.getByRole('combobox').selectOption('Key of the safe');
  await press(page, 'Remove passkey');
  await page.getByRole('heading', { name: 'Staff console' }).waitFor();
  expect(problems).toEqual([]);
  expect(trouble).toEqual([]);
}, 300_000);

test("another person's passkey, another address and an old browser get a sentence each", async () => {
  const { page, trouble } = await newPerson(browser);
  await addPasskeyDevice(page);
  const own = await addStaff(gateway, 'support');
  await page.goto(gateway.origin + (await own.link()));
  await enrolWithPasskey(page, own.password);
  await press(page, 'Sign out');
  const signIn = async (email: string) => {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('a password of somebody');
    await press(page, 'Sign in');
  };
  const other = await addStaff(gateway, 'support');
  await signIn(other.email);
  await problem(page).getByText('This passkey belongs to someone else.').waitFor();

  await page.goto(`${gateway.origin.replace('localhost', '127.0.0.1')}/staff/sign-in`);
  await signIn(own.email);
  await problem(page).getByText(`Open the console at ${gateway.origin}`).waitFor();

  await page.addInitScript({ content: 'delete window.PublicKeyCredential' });
  await page.goto(`${gateway.origin}/staff/sign-in`);
  await signIn(own.email);
  await problem(page).getByText('This browser does not support passkeys here.').waitFor();
  expect(trouble).toEqual([]);
});
