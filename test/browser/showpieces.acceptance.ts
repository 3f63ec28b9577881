import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { projectRoot } from '../support/runNode.ts';
import { expectSoon } from './support/expectSoon.ts';
import { inspectEverywhere } from './support/inspectPage.ts';
import { newPerson, openBrowser } from './support/openBrowser.ts';
import { weigh } from './support/weigh.ts';

/* The start page with results of the operator's models. */

let browser: Browser;
let gateway: TestGateway;
let folder: string;
beforeAll(async () => {
  browser = await openBrowser();
  folder = await mkdtemp(join(tmpdir(), 'framegate-showpieces-'));
  const BRAND_FILE = join(folder, 'brand.json');
  const picture = join(projectRoot, 'gateway/assets/start.webp');
  const clip = join(projectRoot, 'gateway/media/test/reordered.mp4');
  const showpieces = [
    { model: 'alpha-2.0-fast', picture, clip },
    { model: 'image-b-2', picture },
  ];
  await writeFile(BRAND_FILE, JSON.stringify({ name: 'Aurora', showpieces }));
  gateway = await startTestGateway({ ROLE: 'api', BRAND_FILE });
});
afterAll(async () => {
  await browser.close();
  await gateway.stop();
  await rm(folder, { recursive: true });
});

const clip = (page: Page) => page.locator('.showcase video');
const isPlaying = (page: Page) =>
  clip(page).evaluate((video: HTMLVideoElement) => !video.paused && video.currentTime > 0);

test('a clip plays without sound while it is pointed at or focused, and weighs nothing before', async () => {
  const { page, trouble } = await newPerson(browser, { reducedMotion: 'no-preference' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const { kilobytes, shift } = await weigh(page, gateway.origin);
  expect(asked.filter((path) => path.endsWith('.mp4'))).toEqual([]);
  expect(kilobytes.pictures).toBeLessThanOrEqual(60);
  expect(kilobytes.js).toBeLessThanOrEqual(2);
  expect(shift).toBeLessThanOrEqual(0.01);
  expect(await clip(page).getAttribute('controls')).toBeNull();
  await clip(page).hover();
  await expectSoon(() => isPlaying(page), true);
  expect(await clip(page).evaluate((video: HTMLVideoElement) => video.muted)).toBe(true);
  await page.locator('h1').hover();
  await expectSoon(() => isPlaying(page), false);
  await clip(page).focus();
  await expectSoon(() => isPlaying(page), true);
  expect(trouble).toEqual([]);
});

test('a person who wants less motion gets the poster and a play button', async () => {
  const { page, trouble } = await newPerson(browser);
  await page.goto(gateway.origin);
  await clip(page).hover();
  await clip(page).focus();
  await expectSoon(() => clip(page).getAttribute('controls'), '');
  expect(await isPlaying(page)).toBe(false);
  expect(await inspectEverywhere(page, 'start-showcase')).toEqual([]);
  expect(trouble).toEqual([]);
});

test('without script each clip has its controls', async () => {
  const { page } = await newPerson(browser, { javaScriptEnabled: false });
  await page.goto(gateway.origin);
  expect(await clip(page).getAttribute('controls')).toBe('');
  expect(await page.locator('.showcase figure').count()).toBe(2);
});
