import type { Locator, Page } from 'playwright-core';
import type { StaffRole } from '../../../gateway/src/domain/staffRights.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { addStaff, codeOf } from '../../staff/browse.ts';

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
  await page.getByLabel('Your password').fill(password);
  await page.getByLabel('Code in the app').fill(codeOf(secret, steps));
  await click(page.getByRole('button', { name: 'Enrol' }));
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

/** Makes a member of staff, who enrols and ends on the console's overview. @returns The link's path and code. */
export async function enterConsole(page: Page, bed: TestGateway, role: StaffRole): Promise<string> {
  const { password, link } = await addStaff(bed, role);
  const enrolment = await link();
  await page.goto(bed.origin + enrolment);
  await enrolInBrowser(page, password);
  return enrolment;
}
