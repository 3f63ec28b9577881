import { beforeAll, expect, test } from '@jest/globals';
import { addImages } from './support/addImages.ts';
import { addVideo } from './support/addVideo.ts';
import { expectSoon } from './support/expectSoon.ts';
import { inspectEverywhere } from './support/inspectPage.ts';
import { type Customer, useCustomer } from './support/useCustomer.ts';

/* Two to four results side by side. */

const customer = useCustomer({ ROLE: 'api', SIGNUP_CREDITS: '600', POSTERS: 'all' });
let { gateway, page, trouble } = {} as Customer;
const pick = (number: number) => page.locator('.wall > li').nth(number).getByRole('checkbox');

beforeAll(async () => {
  ({ gateway, page, trouble } = customer());
  const [account] = await gateway.collections.accounts.find().toArray();
  const accountId = String(account?._id);
  for (const number of [0, 1]) await addImages(gateway, accountId, { number, n: 1 });
  for (const number of [1, 2, 3]) await addVideo(gateway, accountId, number);
});

test('one and five cannot be compared: the page says how many can, and keeps the selection', async () => {
  await page.goto(`${gateway.origin}/history`);
  await pick(0).check();
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByText('One is selected: add up to three more.').waitFor();
  await page.getByText('1 selected').waitFor();
  for (const number of [1, 2, 3, 4]) await pick(number).check();
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByText('5 are selected: clear some of them.').waitFor();
  await page.getByText('5 selected').waitFor();
  expect(await inspectEverywhere(page, 'wall-compare-five')).toEqual([]);
});

test('three videos play together, from one position, over the width of the window', async () => {
  // The selection was kept.
  for (const number of [3, 4]) await pick(number).uncheck();
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('heading', { name: 'Compare' }).waitFor();
  expect(await inspectEverywhere(page, 'wall-compare')).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  const shown = await page
    .locator('.sides video')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect()));
  expect(new Set(shown.map(({ top }) => top)).size).toBe(1);
  expect(shown.reduce((sum, { width }) => sum + width, 0)).toBeGreaterThan(0.9 * 1440);
  const states = () =>
    page
      .locator('.sides video')
      .evaluateAll((all) =>
        all.map((each) => (each instanceof HTMLVideoElement ? each.paused : null)),
      );
  await page.getByRole('button', { name: 'Play all' }).click();
  await expectSoon(states, [false, false, false]);
  await page.getByRole('button', { name: 'Pause all' }).click();
  await expectSoon(states, [true, true, true]);
  await page.getByLabel('Position').fill('500');
  const times = () =>
    page
      .locator('.sides video')
      .evaluateAll((all) =>
        all.map((each) =>
          each instanceof HTMLVideoElement
            ? Math.abs(each.currentTime - each.duration / 2) < 0.2
            : null,
        ),
      );
  await expectSoon(times, [true, true, true]);
  const [first] = await page.locator('.side').all();
  await first?.getByRole('button', { name: 'Favourite' }).click();
  await expectSoon(() => page.locator('.heart[aria-pressed="true"]').count(), 1);
});

test('one of the compared videos is kept and the others are deleted, by the keyboard', async () => {
  const side = page.locator('.side').nth(1);
  const kept = await side.getByRole('heading').innerText();
  await side.getByRole('link', { name: 'Keep this, delete the others…' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Delete these 2 generations?' }).waitFor();
  await page.getByRole('button', { name: 'Delete all 2' }).press('Enter');
  await page.getByText('2 deleted.').waitFor();
  await page.getByText(kept).first().waitFor();
});

test('no script fails and nothing is blocked', () => {
  expect(trouble).toEqual([]);
});
