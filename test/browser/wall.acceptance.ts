import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { plain } from '../support/plainCollection.ts';
import { addImages } from './support/addImages.ts';
import { addVideo } from './support/addVideo.ts';
import { expectSoon } from './support/expectSoon.ts';
import { inspectEverywhere } from './support/inspectPage.ts';
import { newPerson } from './support/openBrowser.ts';
import { type Customer, useCustomer } from './support/useCustomer.ts';

/* Nothing is generated here: all visible results are stored first. */

const customer = useCustomer({ ROLE: 'api', SIGNUP_CREDITS: '600', POSTERS: 'all' });
let { gateway, browser, page, trouble } = {} as Customer;
const images: string[] = [];
const videos: string[] = [];
const pick = (number: number) => page.locator('.wall > li').nth(number).getByRole('checkbox');
const favourites = () => page.locator('.heart[aria-pressed="true"]');

beforeAll(async () => {
  ({ gateway, browser, page, trouble } = customer());
  const [account] = await gateway.collections.accounts.find().toArray();
  const accountId = String(account?._id);
  for (const number of [0, 1, 2, 3])
    images.push(await addImages(gateway, accountId, { number, n: 1 }));
  for (const number of [1, 2]) videos.push(await addVideo(gateway, accountId, number));
});

test('a heart changes in place, and the favourites form a list', async () => {
  await page.goto(`${gateway.origin}/history`);
  await page.evaluate(() => (document.body.dataset['kept'] = 'yes'));
  const item = page.locator('.wall > li').nth(2);
  await item.hover();
  await item.getByRole('button', { name: /^Favourite/ }).click();
  await expectSoon(() => favourites().count(), 1);
  // The page was not reloaded.
  expect(await page.evaluate(() => document.body.dataset['kept'])).toBe('yes');
  await page.getByRole('link', { name: 'Favourites', exact: true }).click();
  await expectSoon(() => page.locator('.wall > li').count(), 1);
});

test('the bar appears with the first selection, and the keyboard reaches all of it', async () => {
  await page.goto(`${gateway.origin}/history`);
  const bar = page.locator('#wall');
  expect(await bar.isVisible()).toBe(false);
  await pick(2).focus();
  await page.keyboard.press('Space');
  await pick(3).check();
  await page.getByText('2 selected').waitFor();
  expect(await inspectEverywhere(page, 'wall-selected')).toEqual([]);
  await bar.getByText('Add to collection').click();
  await page.getByLabel('Name of the new collection').fill('Boats');
  expect(await inspectEverywhere(page, 'wall-collect')).toEqual([]);
  await page.getByLabel('Name of the new collection').press('Enter');
  await page.getByText('Added to “Boats”.').waitFor();
  await page.getByRole('link', { name: 'Boats', exact: true }).click();
  await expectSoon(() => page.locator('.wall > li').count(), 2);
  expect(await inspectEverywhere(page, 'wall-collection')).toEqual([]);
});

test('older results load near the end of the wall, until there are none', async () => {
  const [account] = await gateway.collections.accounts.find().toArray();
  const accountId = String(account?._id);
  const ids: string[] = [];
  while (ids.length < 42) ids.push(await addImages(gateway, accountId, { number: 5, n: 1 }));
  const isolated = await newPerson(browser, { storageState: await page.context().storageState() });
  await isolated.page.goto(`${gateway.origin}/history`);
  const shown = isolated.page.locator('.wall > li');
  await expectSoon(
    async () => {
      await isolated.page.mouse.wheel(0, 10_000);
      return shown.count();
    },
    ids.length + images.length + videos.length,
  );
  expect(await isolated.page.getByRole('link', { name: 'Older' }).count()).toBe(0);
  // A heart of a later page works like one of the first.
  const last = shown.last();
  await last.hover();
  await last.getByRole('button', { name: /^Favourite/ }).click();
  await last.locator('[aria-pressed="true"]').waitFor();
  await last.getByRole('button', { name: /^Favourite/ }).click();
  await last.locator('[aria-pressed="false"]').waitFor();
  expect(isolated.trouble).toEqual([]);
  await isolated.page.close();
  await gateway.collections.generations.deleteMany({ _id: { $in: ids } });
});

test('several results download as one archive, twice in a row', async () => {
  await page.goto(`${gateway.origin}/history`);
  await pick(2).check();
  await pick(3).check();
  for (const _ of ['first', 'second']) {
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe('framegate.zip');
    expect(download.url()).not.toContain('token');
    await download.delete();
  }
});

/** Whether the one clip that plays on the wall is this one. */
const plays = (on: Page, id: string) =>
  on.locator('.wall').evaluate((wall, own) => {
    const [video, ...others] = wall.querySelectorAll('video');
    const shown = video?.closest('li')?.querySelector('.what')?.id;
    const isAlone = shown === own && others.length === 0;
    return isAlone && video?.muted === true && !video.paused && video.currentTime > 0;
  }, id);

test('a clip of the wall plays under the pointer, with the focus and under a finger; otherwise it weighs nothing', async () => {
  const storageState = await page.context().storageState();
  const motion = { reducedMotion: 'no-preference', hasTouch: true, storageState } as const;
  const { page: moving, trouble: wrong } = await newPerson(browser, motion);
  const clip = videos[0] ?? '';
  const asked: string[] = [];
  moving.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await moving.goto(`${gateway.origin}/history`);
  const thumb = moving.locator(`.thumb[href$="${clip}"]`);
  await moving.mouse.move(0, 0);
  expect(asked.filter((path) => path.endsWith('.mp4'))).toEqual([]);
  await thumb.hover();
  await expectSoon(() => plays(moving, clip), true);
  await moving.locator('h1').hover();
  await expectSoon(() => moving.locator('.wall video').count(), 0);
  await moving.locator(`#${clip}`).focus();
  await expectSoon(() => plays(moving, clip), true);
  await moving.keyboard.press('Shift+Tab');
  await expectSoon(() => plays(moving, clip), true);
  await moving.getByRole('searchbox').focus();
  await expectSoon(() => moving.locator('.wall video').count(), 0);
  const box = await thumb.boundingBox();
  const line = await moving.context().newCDPSession(moving);
  const touchPoints = [{ x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 20 }];
  await line.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  await expectSoon(() => plays(moving, clip), true);
  await line.send('Input.dispatchTouchEvent', { type: 'touchCancel', touchPoints: [] });
  // It continues until another is touched.
  expect(await plays(moving, clip)).toBe(true);
  expect(wrong).toEqual([]);
  await moving.close();
  // A person who wants less motion gets the picture.
  await page.goto(`${gateway.origin}/history`);
  await page.locator(`.thumb[href$="${clip}"]`).hover();
  expect(await page.locator('.wall video').count()).toBe(0);
});

test('a finished video is the largest part of its page, and plays immediately without sound', async () => {
  const path = `${gateway.origin}/generations/${videos[0]}`;
  const storageState = await page.context().storageState();
  const viewport = { width: 1440, height: 900 };
  for (const javaScriptEnabled of [true, false]) {
    const motion = { reducedMotion: 'no-preference', storageState, viewport } as const;
    const moving = await newPerson(browser, { ...motion, javaScriptEnabled });
    await moving.page.goto(path);
    const video = moving.page.locator('.result video');
    await video.and(moving.page.locator('[muted][loop][playsinline][controls]')).waitFor();
    const box = await video.boundingBox();
    expect(box?.width).toBeGreaterThanOrEqual(0.6 * viewport.width);
    const actions = await moving.page.getByRole('link', { name: 'Download' }).boundingBox();
    expect((actions?.y ?? Infinity) + (actions?.height ?? 0)).toBeLessThan(viewport.height);
    const isPlaying = (each: HTMLVideoElement) => !each.paused && each.currentTime > 0;
    await expectSoon(() => video.evaluate(isPlaying), true);
    await moving.page.close();
  }
  await page.goto(path);
  const still = await page
    .locator('.result video')
    .evaluate((each: HTMLVideoElement) => each.paused);
  expect([still, await page.locator('video[autoplay]').count()]).toEqual([true, 0]);
});

test('a result is shared by a link that a stranger opens, and that is revoked', async () => {
  await page.goto(`${gateway.origin}/generations/${videos[0]}`);
  expect(await inspectEverywhere(page, 'wall-generation')).toEqual([]);
  await page.getByRole('link', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = await page.getByLabel('Link', { exact: true }).inputValue();
  expect(await inspectEverywhere(page, 'wall-share')).toEqual([]);
  const stranger = await newPerson(browser);
  await stranger.page.goto(link);
  await stranger.page.getByRole('heading', { name: 'Shared video' }).waitFor();
  await stranger.page.locator('video[poster]').waitFor();
  expect(await inspectEverywhere(stranger.page, 'wall-shared')).toEqual([]);
  expect(stranger.trouble).toEqual([]);
  await page.getByRole('button', { name: 'Revoke link' }).click();
  await page.getByText('Link revoked.').waitFor();
  const response = await stranger.page.goto(link);
  expect(response?.status()).toBe(404);
  await stranger.page.close();
});

test('a deletion names its target first, and removes it from the history', async () => {
  await page.goto(`${gateway.origin}/history`);
  await pick(2).check();
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('heading', { name: 'Delete this generation?' }).waitFor();
  expect(await inspectEverywhere(page, 'wall-delete')).toEqual([]);
  await page.getByRole('button', { name: 'Delete it' }).click();
  await page.getByText('1 deleted.').waitFor();
  await expectSoon(() => page.locator('.wall > li').count(), 5);
});

test('everything works without the script', async () => {
  const state = await page.context().storageState();
  const scriptless = await newPerson(browser, { javaScriptEnabled: false, storageState: state });
  const { page: still } = scriptless;
  await still.goto(`${gateway.origin}/history`);
  const item = still.locator('.wall > li').nth(3);
  await item.hover();
  await item.getByRole('button', { name: /^Favourite/ }).click();
  await expectSoon(
    () => still.locator('.wall > li').nth(3).locator('.heart').getAttribute('aria-pressed'),
    'true',
  );
  await still.locator('.wall > li').nth(0).getByRole('checkbox').check();
  await still.locator('.wall > li').nth(1).getByRole('checkbox').check();
  await still.getByRole('button', { name: 'Compare' }).click();
  await expectSoon(() => still.locator('.sides video').count(), 2);
  await still.close();
});

test('pictures of all ratios fill rows of one height, hardly higher than their files', async () => {
  const { generations, accounts } = gateway.collections;
  const [account] = await accounts.find().toArray();
  const ratios = ['9:16', '16:9', '16:9', '1:1', '21:9', '3:4', '9:16', '16:9', '4:3', '16:9'];
  for (const [number, ratio] of ratios.entries()) {
    const id = await addImages(gateway, String(account?._id), { number, n: 1 });
    const $set = { 'parameters.aspect_ratio': ratio };
    await plain(generations).updateOne({ _id: id }, { $set });
  }
  for (const [width, max] of [
    [1440, 1.2],
    [1280, 1.2],
    [768, 1.3],
    [390, 1.5],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${gateway.origin}/history`);
    const { across, boxes } = await page.evaluate(() => ({
      across: document.querySelector('.wall')?.clientWidth ?? 0,
      boxes: [...document.querySelectorAll('.wall .thumb')].map((each) => {
        const { top, right, height, width: wide } = each.getBoundingClientRect();
        return { top: Math.round(top), right, height, wide };
      }),
    }));
    const left = Math.min(...boxes.map(({ right, wide }) => right - wide));
    const rows = [...Map.groupBy(boxes, ({ top }) => top).values()];
    for (const row of rows.slice(0, -1)) {
      const heights = row.map(({ height }) => height);
      expect([width, Math.max(...heights) - Math.min(...heights) < 2]).toEqual([width, true]);
      // A row of one upright picture is as high as the largest one.
      if (Math.max(...heights) > 315) continue;
      expect(Math.abs((row.at(-1)?.right ?? 0) - left - across)).toBeLessThan(2);
    }
    const large = boxes
      .filter(({ height }) => height > 180 * max && height < 315)
      .map(({ height }) => height);
    expect([width, large]).toEqual([width, []]);
  }
  await page.getByRole('link', { name: 'Select all', exact: true }).click();
  await page.getByText(/^\d+ selected$/).waitFor();
  expect(await inspectEverywhere(page, 'wall-all')).toEqual([]);
  await page.locator('.all').getByRole('checkbox').uncheck();
  expect(await page.locator('#wall').isVisible()).toBe(false);
});

test('no script fails and nothing is blocked', () => {
  // The revoked link's page is a 404 for strangers.
  expect(trouble).toEqual([]);
});
