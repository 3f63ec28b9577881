import type { Page } from 'playwright-core';
import { codeOf } from '../../staff/browse.ts';

/** On the page of an enrolment link: enters the app's secret and ends on the console's overview. */
export async function enrolInBrowser(page: Page, password: string): Promise<void> {
  const secret = (await page.locator('#secret').innerText()).replaceAll(' ', '');
  await page.getByLabel('Your password').fill(password);
  await page.getByLabel('Code that the app shows').fill(codeOf(secret));
  await page.getByRole('button', { name: 'Enrol' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}
