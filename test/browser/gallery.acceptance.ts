import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { addImages } from './support/addImages.ts';
import { openChip } from './support/choose.ts';
import { expectSoon } from './support/expectSoon.ts';
import { inspectPage, overflow } from './support/inspectPage.ts';
import { type Customer, useCustomer } from './support/useCustomer.ts';
import { weigh } from './support/weigh.ts';

const customer = useCustomer({ SIGNUP_CREDITS: '500', POSTERS: 'all' });
let { gateway, page, trouble } = {} as Customer;
let accountId = '';
const images: string[] = [];

beforeAll(async () => {
  ({ gateway, page, trouble } = customer());
  const [account] = await gateway.collections.accounts.find().toArray();
  accountId = String(account?._id);
  for (let number = 0; number < 20; number += 1) {
    images.push(await addImages(gateway, accountId, { number, n: number === 0 ? 2 : 1 }));
  }
});

test('the history is a grid of pictures: twenty in 300 KB, without layout shifts', async () => {
  const { kilobytes, shift, pictures } = await weigh(page, `${gateway.origin}/history`);
  // Twenty, and the logo.
  expect(pictures).toBe(21);
  expect(kilobytes.pictures).toBeLessThanOrEqual(300);
  expect(shift).toBeLessThan(0.01);
  expect(await inspectPage(page, 'gallery')).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await overflow(page)).toBeLessThanOrEqual(0);
});

test('a page of images shows posters, and one click loads all files', async () => {
  await page.setViewportSize({ width: 1280, height: 860 });
  const { kilobytes, shift } = await weigh(page, `${gateway.origin}/generations/${images[0]}`);
  expect(kilobytes.pictures).toBeLessThan(200);
  expect(shift).toBeLessThan(0.01);
  expect(await inspectPage(page, 'generation-images')).toEqual([]);
  const coming = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download all' }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe(`framegate-${images[0]}.zip`);
  const archive = await readFile((await download.path()) ?? '');
  // Two files and their table, and a directory of them at the end.
  expect(archive.readUInt32LE(0)).toBe(0x04034b50);
  expect(
    archive.readUInt16LE(archive.lastIndexOf('PK\u0005\u0006', undefined, 'latin1') + 10),
  ).toBe(3);
  expect(archive.includes('contents.csv')).toBe(true);
});

test('a picture of the history becomes an input with one click, from its page or in the studio', async () => {
  await page.goto(`${gateway.origin}/generations/${images[0]}`);
  const acts = page.locator('main .inline > :is(a, button)').filter({ visible: true });
  expect(await acts.allInnerTexts()).toEqual([
    'Download all',
    'Make a variation',
    'Same seed',
    'Share',
    'Favourite',
  ]);
  await page.getByText('More actions').click();
  expect(await inspectPage(page, 'generation-more')).toEqual([]);
  await page.getByRole('link', { name: 'Animate image 2' }).click();
  await openChip(page, '#chip-inputs');
  const first = page.getByRole('textbox', { name: 'First frame' });
  expect(await first.inputValue()).toContain(`/media/outputs/${images[0]}/1.jpg`);
  const picks = page.getByRole('group', { name: 'From your history' }).getByRole('button');
  await expectSoon(() => picks.count(), 6);
  await picks.first().click();
  const last = page.getByRole('textbox', { name: 'Last frame' });
  await page.waitForFunction(() => {
    const field = document.getElementById('field-last-frame');
    return field instanceof HTMLInputElement && field.value !== '';
  });
  expect(await last.inputValue()).toContain(`/media/outputs/${images.at(-1)}/0.jpg`);
  // The choice is shown, and the strip leads to the results.
  await expectSoon(() => page.locator('.slot > .thumb img').count(), 1);
  await expectSoon(() => page.locator('#feed > .request').count(), 12);
  expect(await inspectPage(page, 'studio-inputs')).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 860 });
});

test('a video shows its first frame before it plays, and keeps its place', async () => {
  await page.goto(`${gateway.origin}/studio`);
  await page.getByLabel('Prompt').fill('A boat at dusk');
  await page.getByLabel('Seconds').fill('4');
  await page.getByRole('button', { name: /^Create video/ }).click();
  await page.locator('video[poster]').waitFor();
  const { shift } = await weigh(page, page.url());
  expect(shift).toBeLessThan(0.01);
  const poster = await page.locator('video').getAttribute('poster');
  const response = await fetch(poster ?? '');
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp']);
  // The URL of a poster opens no other file.
  expect((await fetch(String(poster).replace('posters_960', 'outputs'))).status).toBe(403);
  await page.goto(`${gateway.origin}/history`);
  await expectSoon(() => page.locator('.wall li').first().locator('img').count(), 1);
});

test('no script fails and nothing is blocked', () => {
  expect(trouble).toEqual([]);
});
