import type { Locator, Page } from 'playwright-core';
import type { StaffRole } from '../../../gateway/src/domain/staff/staffRights.ts';
import { addStaff, codeOf } from '../../staff/browse.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { addPasskeyDevice } from './virtualPasskey.ts';

/**
 * On the page of an enrolment link: enters the app's code and ends on the console's overview.
 * @param click Clicks the button.
 * @param steps How many steps of 30 s the gateway's clock is ahead.
 */
export async function enrolInBrowser(
  page: Page,
  password: string,
  click: (button: Locator) => Promise<void> = (button) => button.click(),
  steps = 0,
): Promise<void> {
  const secret = (await page.locator('#secret').innerText()).replaceAll(' ', '');
  await page.getByLabel('Your password').first().fill(password);
  await page.getByLabel('Code from your app').fill(codeOf(secret, steps));
  await click(page.getByRole('button', { name: 'Enrol', exact: true }));
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

/** On the page of an enrolment link: enrols with a passkey of the page's device. */
export async function enrolWithPasskey(page: Page, password: string): Promise<void> {
  await page.getByLabel('Your password').last().fill(password);
  await page.getByRole('button', { name: 'Continue with a passkey' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

/**
 * Makes a staff member, who enrols with a passkey and ends on the console's overview.
 * @param gateway From `startNamedGateway`.
 * @returns The link's path and code.
 */
export async function enterConsole(
  page: Page,
  gateway: TestGateway,
  role: StaffRole,
): Promise<string> {
  await addPasskeyDevice(page);
  const { password, link } = await addStaff(gateway, role);
  const enrolment = await link();
  await page.goto(gateway.origin + enrolment);
  await enrolWithPasskey(page, password);
  return enrolment;
}
