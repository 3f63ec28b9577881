import { beforeAll, expect, test } from '@jest/globals';
import { codeFor } from '../site/support/mailbox.ts';
import { addImages } from './support/addImages.ts';
import { choose } from './support/choose.ts';
import { expectSoon } from './support/expectSoon.ts';
import { inspectEverywhere } from './support/inspectPage.ts';
import { desk, phone } from './support/openBrowser.ts';
import { type Customer, useCustomer } from './support/useCustomer.ts';
import { password } from '../site/support/signUpVerified.ts';

/* Nothing is made here: requests stay where they are until they are cancelled. */

const customer = useCustomer({ ROLE: 'api', SIGNUP_CREDITS: '600', POSTERS: 'all' });
let { gateway, page, trouble } = {} as Customer;
const requests = () => page.locator('#feed > .request');
const create = () => page.locator('#create');

/** Activity of the page during a test: documents loaded, and pixels scrolled by hand or by script. */
async function watch(): Promise<() => Promise<{ loads: number; scrolled: number }>> {
  let loads = 0;
  const count = () => (loads += 1);
  page.on('domcontentloaded', count);
  await page.evaluate(() => {
    let [at, sum] = [window.scrollY, 0];
    window.addEventListener('scroll', () => {
      sum += Math.abs(window.scrollY - at);
      at = window.scrollY;
      document.body.dataset['scrolled'] = String(sum);
    });
  });
  return async () => {
    page.off('domcontentloaded', count);
    return {
      loads,
      scrolled: await page.evaluate(() => Number(document.body.dataset['scrolled'] ?? 0)),
    };
  };
}

/** Whether the whole button is in the window. */
const isInSight = () =>
  create().evaluate((button) => {
    const { top, bottom } = button.getBoundingClientRect();
    return top >= 0 && bottom <= window.innerHeight;
  });

beforeAll(() => {
  ({ gateway, page, trouble } = customer());
});

test('ten consecutive variations take ten clicks, without a reload or a scroll', async () => {
  await page.goto(`${gateway.origin}/studio`);
  await choose(page, 'Model', 'image-b-2');
  await page.getByLabel('Images').waitFor();
  await page.getByLabel('Prompt').fill('A lighthouse of glass');
  const seen = await watch();
  for (let clicks = 1; clicks <= 10; clicks += 1) {
    await create().click();
    await expectSoon(() => requests().count(), clicks);
  }
  expect(await seen()).toEqual({ loads: 0, scrolled: 0 });
  await page.getByRole('link', { name: '540 credits available' }).waitFor();
  const { generations } = gateway.collections;
  expect(await generations.countDocuments()).toBe(10);
  expect(await page.getByLabel('Prompt').inputValue()).toBe('A lighthouse of glass');
  // A reload keeps the prompt in the form.
  await page.reload();
  expect(await page.getByLabel('Prompt').inputValue()).toBe('A lighthouse of glass');
});

test('the button never leaves the window, however long the feed is', async () => {
  for (const size of [desk, phone, { width: 320, height: 640 }]) {
    await page.setViewportSize(size);
    expect(await isInSight()).toBe(true);
    await page.mouse.wheel(0, 800);
    await expectSoon(isInSight, true);
  }
  await page.setViewportSize(desk);
  await page.goto(`${gateway.origin}/studio`);
});

test('the chips form one row, with the last one visible at every width, and all on a desktop', async () => {
  const seen = () =>
    page.locator('#chips').evaluate((part) => {
      const [row, more] = part.children;
      const middles = [...(row?.children ?? []), ...(more ? [more] : [])].map((chip) => {
        const { top, height } = chip.getBoundingClientRect();
        return Math.round(top + height / 2);
      });
      const { left = -1, right = Infinity } = more?.getBoundingClientRect() ?? {};
      return {
        isOneRow: Math.max(...middles) - Math.min(...middles) <= 1,
        isMoreInSight: left >= 0 && right <= part.getBoundingClientRect().right,
        hidden: (row?.scrollWidth ?? 0) - (row?.clientWidth ?? 0),
      };
    });
  await choose(page, 'Model', 'alpha-2.0-fast');
  await page.getByLabel('With sound (25% more)', { exact: true }).waitFor();
  await choose(page, 'Mode', 'multimodal-to-video');
  await page.locator('#chip-inputs > summary', { hasText: 'Reference to video' }).waitFor();
  for (const width of [320, 390, 720, 800, 960, 1280]) {
    await page.setViewportSize({ width, height: 860 });
    expect([width, await seen()]).toEqual([
      width,
      expect.objectContaining({ isOneRow: true, isMoreInSight: true }),
    ]);
  }
  await choose(page, 'Mode', 'text-to-video');
  await page.locator('#chip-inputs > summary', { hasText: 'Text' }).waitFor();
  await page.setViewportSize(desk);
  expect((await seen()).hidden).toBe(0);
  // A panel lies above the row that scrolls.
  await page.setViewportSize({ width: 720, height: 860 });
  await page.locator('#chip-more > summary').click();
  await page.getByLabel('Seed').click();
  await page.keyboard.press('Escape');
  await page.setViewportSize(desk);
});

test('a waiting generation is cancelled in place, and refunded', async () => {
  const { generations } = gateway.collections;
  const newest = await generations.findOne({}, { sort: { _id: -1 } });
  await generations.updateOne({ _id: newest?._id ?? '' }, { $set: { step: 'parked' } });
  await page.goto(`${gateway.origin}/studio?generation=${String(newest?._id)}`);
  const request = requests().first();
  const seen = await watch();
  await request.getByRole('button', { name: 'Cancel and refund 6 credits' }).click();
  await request.getByText('You cancelled this before it started.').waitFor();
  await page.getByRole('link', { name: '546 credits available' }).waitFor();
  expect(await seen()).toEqual({ loads: 0, scrolled: 0 });
});

test('any of several images becomes an input in place; the prompt stays, and Ctrl+Enter orders', async () => {
  const [account] = await gateway.collections.accounts.find().toArray();
  await addImages(gateway, String(account?._id), { number: 0, n: 2 });
  await page.goto(`${gateway.origin}/studio`);
  await page.getByLabel('Prompt').fill('kept');
  const several = page.locator('.request', { has: page.locator('img').nth(1) });
  const seen = await watch();
  await several.getByRole('button', { name: 'Animate image 2' }).click();
  await page.getByText('Image set as first frame.').waitFor();
  await page.locator('#chip-inputs .mini img').waitFor();
  await expectSoon(() => page.evaluate(() => document.activeElement?.id), 'field-prompt');
  expect(await page.getByLabel('Prompt').inputValue()).toBe('kept');
  await several.getByRole('button', { name: 'Use image 1 as reference' }).click();
  await page.getByText('Image added as a reference.').waitFor();
  const before = await requests().count();
  await page.getByLabel('Prompt').press('Control+Enter');
  await expectSoon(() => requests().count(), before + 1);
  expect(await seen()).toEqual({ loads: 0, scrolled: 0 });
  const { generations } = gateway.collections;
  const made = await generations.findOne({}, { sort: { createdAt: -1 } });
  expect(made).toMatchObject({ prompt: 'kept', mode: 'multimodal-to-video' });
  expect(await inspectEverywhere(page, 'studio-feed')).toEqual([]);
});

test('panels open one at a time, and Escape closes them with the focus on their chip', async () => {
  await page.locator('#chip-model > summary').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('group', { name: 'Model' }).waitFor();
  await page.locator('#chip-more > summary').click();
  await page.getByLabel('Seed').waitFor();
  expect(await page.locator('.composer details[open]').count()).toBe(1);
  expect(await inspectEverywhere(page, 'studio-panel')).toEqual([]);
  await page.getByLabel('Seed').press('Escape');
  expect(await page.evaluate(() => document.activeElement?.parentElement?.id)).toBe('chip-more');
  expect(await page.locator('.composer details[open]').count()).toBe(0);
});

test('a list of prompts has one price and one question, and each line becomes a request', async () => {
  await page.goto(`${gateway.origin}/studio`);
  await choose(page, 'Model', 'image-b-2');
  await page.getByLabel('Images').waitFor();
  await page.getByLabel('Requests', { exact: true }).selectOption('lines');
  await page.getByLabel('Prompt').fill('A red boat\n\nA blue boat\nA green boat');
  await page.getByText('3 of 20 lines').waitFor();
  await page.getByRole('button', { name: 'Create 3 images · 18 credits' }).click();
  await page.getByRole('heading', { name: 'Create 3 images?' }).waitFor();
  expect(await inspectEverywhere(page, 'studio-list')).toEqual([]);
  await page.getByRole('button', { name: 'Back to the studio' }).click();
  await page.getByRole('button', { name: 'Create 3 images · 18 credits' }).click();
  await page.getByRole('button', { name: 'Create 3 images · 18 credits' }).click();
  await page.getByText('Generating 3 images.').waitFor();
  const newest = await requests().locator('.said').allInnerTexts();
  expect(newest.slice(0, 3)).toEqual(['A green boat', 'A blue boat', 'A red boat']);
  const made = requests().first().locator('time');
  expect(await made.innerText()).toMatch(/^(just now|\d+ min ago)$/);
  expect(await made.getAttribute('title')).toMatch(/^\d+ \w+, \d\d:\d\d$/);
});

test('a refusal is shown in the composer, and typed text stays', async () => {
  await page.goto(`${gateway.origin}/studio`);
  const seen = await watch();
  await create().click();
  await page.getByText('Write a prompt first.').first().waitFor();
  await expectSoon(() => page.evaluate(() => document.activeElement?.id), 'problems');
  await page.getByLabel('Prompt').fill('now there is one');
  await create().click();
  await page.locator('#problems').waitFor({ state: 'detached' });
  await requests().first().getByText('now there is one').waitFor();
  expect(await seen()).toEqual({ loads: 0, scrolled: 0 });
});

test('a prompt of the start page survives the sign-up', async () => {
  const fresh = await page.context().browser()?.newPage();
  if (!fresh) throw new Error('no browser');
  await fresh.goto(gateway.origin);
  await fresh.getByLabel('Your first prompt').fill('A boat that sails into the studio');
  await fresh.getByRole('button', { name: 'Create this video' }).click();
  const email = 'lin@example.com';
  await fresh.getByLabel('Email').fill(email);
  await fresh.getByRole('button', { name: 'Create account' }).click();
  await fresh.getByLabel('Code from the email').fill(await codeFor(gateway.dataDir, email));
  await fresh.getByLabel('Choose a password').fill(password);
  await fresh.getByRole('button', { name: 'Verify email' }).click();
  await fresh.getByText('Email address verified').waitFor();
  expect(await fresh.getByLabel('Prompt').inputValue()).toBe('A boat that sails into the studio');
  await fresh.close();
});

test('no script fails and nothing is blocked', () => {
  expect(trouble).toEqual([]);
});
