import { expect } from '@jest/globals';
import { codeFor } from '../../site/support/mailbox.ts';
import { requests } from '../../support/gateway.ts';
import { findingsOf, overflow } from '../support/inspectPage.ts';
import { button, type Hand, link, type Task } from './task.ts';
import { password } from '../../site/support/signUpVerified.ts';

/** Signs the fixture's customer in. */
export async function signIn(hand: Hand): Promise<void> {
  await hand.type('Email', 'ada@example.com');
  await hand.type('Password', password);
  await hand.enter();
  await hand.page.getByRole('heading', { name: 'Studio' }).waitFor();
}

const atTheDoor: Task[] = [
  {
    name: 'Sign up and verify the address',
    as: 'stranger',
    start: '/',
    max: 3,
    async run(hand, { gateway }) {
      const email = 'lin@example.com';
      await hand.click(link(hand, 'Create an account', false));
      await hand.type('Email', email);
      await hand.click(button(hand, 'Create account'));
      await hand.page.getByRole('heading', { name: 'Check your email' }).waitFor();
      await hand.type('Code from the email', await codeFor(gateway.dataDir, email));
      await hand.type('Choose a password', password);
      await hand.click(button(hand, 'Verify email'));
      await hand.page.getByText('Email address verified').waitFor();
      expect(await link(hand, '5,000 credits available').count()).toBe(1);
    },
  },
  {
    name: 'Sign in',
    as: 'stranger',
    start: '/sign-in',
    max: 1,
    run: signIn,
  },
  {
    name: 'Choose a new password',
    as: 'stranger',
    start: '/sign-in',
    max: 3,
    async run(hand, { gateway }) {
      const email = 'forgetful@example.com';
      await gateway.addAccount({ email });
      await hand.click(link(hand, 'Forgot your password?'));
      await hand.type('Email', email);
      await hand.click(button(hand, 'Send code'));
      await hand.page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
      await hand.type('Code from the email', await codeFor(gateway.dataDir, email));
      await hand.type('New password', 'another horse battery');
      await hand.click(button(hand, 'Change password'));
      await hand.page.getByRole('status').getByText('Password changed').waitFor();
    },
  },
];

const keys: Task[] = [
  {
    name: 'Make the first API key, with a host and a daily limit, and copy it',
    as: 'newcomer',
    start: '/settings/public-api',
    max: 2,
    scrolls: 150,
    async run(hand, { gateway }) {
      await hand.type('Name', 'n8n');
      await hand.type('Input hosts (optional)', 'a.files.example');
      await hand.type('Credits per day (optional)', '300');
      await hand.type('Your password', password);
      await hand.click(button(hand, 'Create key'));
      await hand.click(hand.page.locator('[data-copy="api-key"]'));
      await hand.page.getByText('Copied').waitFor();
      const apiKey = await hand.page.evaluate(() => navigator.clipboard.readText());
      const { json } = await requests(gateway.origin, apiKey).get('/v1/credits/balance');
      expect(json['available']).toBe(5000);
    },
  },
  {
    name: 'Replace an API key, then revoke the old one',
    as: 'customer',
    start: '/settings/public-api',
    max: 4,
    scrolls: 400,
    async run(hand) {
      const { page } = hand;
      const rows = page.locator('.keys tbody tr');
      const old = (await page.locator('.keys code').innerText()).slice(-4);
      await hand.click(link(hand, 'Manage n8n at work', false));
      await hand.type('Your password', password);
      await hand.click(button(hand, 'Create new key'));
      const fresh = (await page.locator('#api-key').inputValue()).slice(-4);
      // The new key is visible only now, so no single click leads away from it to revoke the old one.
      await hand.click(page.locator('summary', { hasText: 'Revoke' }));
      expect([await findingsOf(page), await overflow(page)]).toEqual([[], 0]);
      await hand.click(button(hand, `Revoke “n8n at work” …${old}`));
      await page.getByText(`The key “n8n at work” …${old} has been revoked.`).waitFor();
      expect(await rows.allInnerTexts()).toEqual([expect.stringContaining(fresh)]);
    },
  },
];

/** Tasks of customers before the studio. */
export const accountTasks: readonly Task[] = [...atTheDoor, ...keys];
