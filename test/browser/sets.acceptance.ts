import { beforeAll, expect, test } from '@jest/globals';
import { addImages } from './support/addImages.ts';
import { choose } from './support/choose.ts';
import { expectSoon } from './support/expectSoon.ts';
import { inspectPage, overflow } from './support/inspectPage.ts';
import { desk } from './support/openBrowser.ts';
import { type Customer, useCustomer } from './support/useCustomer.ts';

const customer = useCustomer({ ROLE: 'api', SIGNUP_CREDITS: '600', POSTERS: 'all' });
let { gateway, page, trouble } = {} as Customer;
beforeAll(() => {
  ({ gateway, page, trouble } = customer());
});

/** The parts of the newest set. */
const set = () => page.locator('#feed > .request').first().locator('.shot');
/** Ten finished images of one order. */
async function addSet(): Promise<void> {
  const [account] = await gateway.collections.accounts.find().toArray();
  const ids: string[] = [];
  while (ids.length < 10) {
    ids.push(await addImages(gateway, String(account?._id), { number: 1, n: 1 }));
  }
  const { generations } = gateway.collections;
  const requestId = 'req_01arz3ndektsv4rrffq69g5fav';
  await generations.updateMany({ _id: { $in: ids } }, { $set: { requestId } });
}

/** Keys pressed for ten variations and the choice of one. */
let keys = 0;
async function press(...names: string[]): Promise<void> {
  for (const name of names) {
    keys += 1;
    await page.keyboard.press(name);
  }
}
/** Whether all of a set lies above the composer. */
async function isOneScreen(): Promise<boolean> {
  const last = await set().last().boundingBox();
  const composer = await page.locator('.composer').boundingBox();
  return (last?.y ?? 0) + (last?.height ?? Infinity) < (composer?.y ?? 0);
}

test('ten variations are one order with one price, and one screen', async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${gateway.origin}/studio`);
  await choose(page, 'Model', 'image-b-2');
  await page.getByLabel('Images').waitFor();
  await page.getByLabel('Prompt').fill('A lighthouse, ten times');
  await page.getByLabel('Requests', { exact: true }).focus();
  let loads = 0;
  page.on('domcontentloaded', () => (loads += 1));
  await press('ArrowDown', 'ArrowDown', 'ArrowDown');
  await expectSoon(() => page.locator('#create').innerText(), 'Create 10 images · 60 credits');
  await page.getByText('10 × 6 = 60 credits').waitFor();
  await press('Control+Enter');
  await expectSoon(() => set().count(), 10);
  expect(await isOneScreen()).toBe(true);
  expect([loads, await page.evaluate(() => window.scrollY)]).toEqual([0, 0]);
});

test('one of a set is chosen full screen, with at most twelve keystrokes', async () => {
  await addSet();
  await page.goto(`${gateway.origin}/studio`);
  expect(await page.getByLabel('Requests', { exact: true }).inputValue()).toBe('10');
  expect(await isOneScreen()).toBe(true);
  const ids = await set().evaluateAll((all) => all.map(({ id }) => id));
  await set().first().locator('.open').focus();
  await press('Enter');
  const viewer = page.locator('#viewer');
  await viewer.getByText('1 / 10').waitFor();
  await press('ArrowLeft', 'ArrowLeft');
  await viewer.getByText('9 / 10').waitFor();
  await press('f');
  await page.getByText('Added to favourites').waitFor();
  expect(keys).toBeLessThanOrEqual(12);
  const { generations } = gateway.collections;
  expect((await generations.findOne({ isFavourite: true }))?._id).toBe(ids[8]);
  expect(await inspectPage(page, 'studio-viewer')).toEqual([]);
  await page.keyboard.press('Escape');
  await expectSoon(() => set().count(), 10);
  expect(await page.evaluate(() => document.activeElement?.closest('.shot')?.id)).toBe(ids[8]);
  expect(await inspectPage(page, 'studio-set')).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize(desk);

  await page.keyboard.press('Enter');
  await viewer.getByRole('link', { name: 'Keep this, delete the others' }).click();
  await page.getByRole('heading', { name: 'Delete these 9 generations?' }).waitFor();
  await page.goto(`${gateway.origin}/studio`);
  await set().first().locator('.open').click();
  await viewer.getByText('1 / 10').waitFor();
  await page.keyboard.press('x');
  await page.getByRole('heading', { name: 'Delete this generation?' }).waitFor();
});

test('no script fails and nothing is blocked', () => {
  expect(trouble).toEqual([]);
});
