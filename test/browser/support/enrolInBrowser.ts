import type { Locator, Page } from 'playwright-core';
import { codeOf } from '../../staff/browse.ts';

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
