import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { addFinished } from '../site/support/addFinished.ts';
import { mailsTo } from '../site/support/mailbox.ts';
import { joinPathIn } from '../site/support/useTeam.ts';
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

const [boss, helper] = ['boss@a-rather-long-company-name.example.com', 'helper@example.com'];

test('an owner invites, a person without script joins and acts, and each page passes the visual check', async () => {
  const owner = await newPerson(browser);
  await signUpInBrowser(owner.page, gateway, boss);
  await owner.page.goto(`${gateway.origin}/settings/account`);
  await owner.page.getByRole('link', { name: 'Team', exact: true }).click();
  for (const email of [helper, 'nobody@example.com']) {
    await owner.page.getByLabel('Email addresses').fill(email);
    await owner.page.locator('form.card [name=current_password]').fill(password);
    await owner.page.getByRole('button', { name: 'Send invitation' }).click();
    await owner.page.getByText(`Invitation sent to ${email}.`).waitFor();
  }
  const [mail] = await mailsTo(gateway.dataDir, helper);
  const path = joinPathIn(mail?.text ?? '');

  const member = await newPerson(browser);
  await member.page.goto(gateway.origin + path);
  const problems = await inspectEverywhere(member.page, 'invitation-signed-out');
  await signUpInBrowser(member.page, gateway, helper);
  await member.page.goto(gateway.origin + path);
  problems.push(...(await inspectEverywhere(member.page, 'invitation')));
  await member.page.getByRole('button', { name: 'Join team' }).click();
  await member.page.getByText(`Switched to ${boss}.`).waitFor();
  problems.push(...(await inspectEverywhere(member.page, 'studio-of-team')));
  await member.page.goto(`${gateway.origin}/settings/team`);
  problems.push(...(await inspectEverywhere(member.page, 'team-member')));
  await member.page.goto(`${gateway.origin}/credits`);
  problems.push(...(await inspectEverywhere(member.page, 'no-right')));

  const { accounts } = gateway.database;
  const [team = '', person = ''] = await Promise.all(
    [boss, helper].map(async (email) => (await accounts.findByEmail(email))?.id),
  );
  const made = await Promise.all(
    [team, person, 'acct_left'].map((madeBy) => addFinished(gateway, team, { madeBy })),
  );
  await owner.page.goto(`${gateway.origin}/history?by=site`);
  await owner.page.getByText('by a former member').waitFor();
  problems.push(...(await inspectEverywhere(owner.page, 'history-of-team')));
  await owner.page.goto(`${gateway.origin}/generations/${made[0]}`);
  await owner.page.getByText(`Studio, by ${boss}`).waitFor();
  problems.push(...(await inspectEverywhere(owner.page, 'generation-of-team')));
  await owner.page.goto(`${gateway.origin}/settings/team`);

  await owner.page.getByText('Change', { exact: false }).first().click();
  problems.push(...(await inspectEverywhere(owner.page, 'team')));
  await owner.page.getByLabel(/^Credits per month, on/).fill('many');
  await owner.page.locator('details[open] [name=current_password]').fill(password);
  await owner.page.getByRole('button', { name: 'Set limit' }).click();
  await owner.page.getByRole('alert').waitFor();
  problems.push(...(await inspectEverywhere(owner.page, 'team-problem')));
  for (const name of ['settings', 'log']) {
    await owner.page.goto(`${gateway.origin}/settings/team/${name}`);
    problems.push(...(await inspectEverywhere(owner.page, `team-${name}`)));
  }
  expect(problems).toEqual([]);
  expect([...owner.trouble, ...member.trouble]).toEqual([]);
});

test('the choice of an account works by keyboard and without script', async () => {
  const { page } = await newPerson(browser, { javaScriptEnabled: false });
  await page.goto(`${gateway.origin}/sign-in`);
  await page.getByLabel('Email').fill(helper);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Account', { exact: true }).selectOption({ label: boss });
  await page.getByLabel('Account', { exact: true }).press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText(`Switched to ${boss}.`).waitFor();
});
