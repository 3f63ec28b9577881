import type { Page } from 'playwright-core';
import { codeFor } from '../../site/support/mailbox.ts';
import { password } from '../../site/support/signUpVerified.ts';

/** Signs up, takes the code from the email, and is in the studio. */
export async function signUpInBrowser(
  page: Page,
  gateway: { origin: string; dataDir: string },
  email: string,
): Promise<void> {
  await page.goto(`${gateway.origin}/sign-up`);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await page.getByLabel('Code from the email').fill(await codeFor(gateway.dataDir, email));
  await page.getByLabel('Choose a password').fill(password);
  await page.getByRole('button', { name: 'Verify email' }).click();
  await page.getByText('Email address verified').waitFor();
}
