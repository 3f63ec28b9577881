import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { createDiskStore } from '../../gateway/src/adapters/media/diskStore.ts';
import { sampleFolder, samplePictures } from '../../gateway/src/adapters/media/sampleHost.ts';
import { createPosterMaker } from '../../gateway/src/adapters/media/makePosters.ts';
import { createStoreOutput } from '../../gateway/src/adapters/media/storeOutput.ts';
import type { Generation } from '../../gateway/src/domain/generation.ts';
import { mediaKey } from '../../gateway/src/domain/mediaUrl.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { collectLog } from '../support/mongod.ts';
import { generationOf, store } from '../support/workWorld.ts';
import { inspectPage, overflow } from './support/inspectPage.ts';
import { newPerson, openBrowser } from './support/openBrowser.ts';
import { signUpInBrowser } from './support/signUpInBrowser.ts';

let bed: TestGateway;
let browser: Browser;
let page: Page;
let trouble: string[];
let accountId = '';
const images: string[] = [];

beforeAll(async () => {
  [bed, browser] = await Promise.all([
    startTestGateway({ SIGNUP_CREDITS: '500', POSTERS: 'all' }),
    openBrowser(),
  ]);
  ({ page, trouble } = await newPerson(browser));
  await signUpInBrowser(page, bed, 'ada@example.com');
  const [account] = await bed.gateway.database.collections.accounts.find().toArray();
  accountId = String(account?._id);
  for (let each = 0; each < 20; each += 1) await addImages(each);
});
afterAll(async () => {
  await browser.close();
  await bed.stop();
  expect(bed.errors).toEqual([]);
});

/** A finished generation of two images, taken over as a provider's are, of the sample pictures. */
async function addImages(number: number): Promise<void> {
  const { gateway, dataDir } = bed;
  const id = gateway.random.newId('gen');
  const now = gateway.database.clock.now();
  const folder = join(dataDir, 'media');
  const { log } = collectLog();
  const disk = createDiskStore(folder);
  const storeOutput = createStoreOutput({
    store: disk,
    tempFolder: join(folder, 'work'),
    posters: createPosterMaker({ store: disk, log }, ['image']),
  });
  const outputs: Generation['outputs'] = [];
  for (const index of number === 0 ? [0, 1] : [0]) {
    const name = samplePictures[(number + index) % samplePictures.length] ?? '';
    const read = () => readFile(join(sampleFolder, name));
    const key = mediaKey('outputs', { generationId: id, index, extension: 'jpg' });
    const wanted = { type: 'image', format: 'image/jpeg' } as const;
    const file = await storeOutput(key, { read }, wanted, new AbortController().signal);
    outputs.push({ key, extension: 'jpg', ...file });
  }
  const parameters = { n: outputs.length, resolution: '1k', aspect_ratio: '16:9' };
  await store(gateway.database, [
    generationOf(id, accountId, now, {
      ...{ type: 'image', model: 'image-b-2', mode: null, channel: 'pc', outputs },
      ...{ status: 'completed', step: 'ended', endedAt: now, outputsDeleteAt: now + 86_400_000 },
      parameters: { ...parameters, output_format: 'jpeg' } as Generation['parameters'],
      prompt: `Picture ${number} of a quiet place by the water, ${randomUUID()}`,
    }),
  ]);
  images.push(id);
}

/** Bytes of pictures that a page loads when all of it has been seen, and how far its parts moved (the font may come late: under 0.01). */
async function weigh(path: string): Promise<{ bytes: number; shift: number; pictures: number }> {
  const sizes: Promise<number>[] = [];
  const count = (response: Parameters<Parameters<Page['on']>[1]>[0]) => {
    const answer = response as unknown as { url(): string; body(): Promise<Buffer> };
    if (answer.url().includes('/media/')) sizes.push(answer.body().then(({ length }) => length));
  };
  page.on('response', count as never);
  await page.addInitScript(() => {
    const seen = window as unknown as { shift: number };
    seen.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        seen.shift += (entry as unknown as { value: number }).value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(bed.origin + path);
  await page.evaluate(() => {
    for (const image of document.images) image.loading = 'eager';
  });
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  const shift = await page.evaluate(() => (window as unknown as { shift: number }).shift);
  page.off('response', count as never);
  const bytes = (await Promise.all(sizes)).reduce((sum, each) => sum + each, 0);
  return { bytes, shift, pictures: sizes.length };
}

test('the history is a grid of pictures: twenty in 300 KB, and nothing moves', async () => {
  const { bytes, shift, pictures } = await weigh('/history');
  expect(pictures).toBe(20);
  expect(bytes).toBeLessThanOrEqual(300_000);
  expect(shift).toBeLessThan(0.01);
  expect(await inspectPage(page, 'gallery')).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await overflow(page)).toBeLessThanOrEqual(0);
});

test('a page of images shows posters, and one click loads all files', async () => {
  await page.setViewportSize({ width: 1280, height: 860 });
  const { bytes, shift } = await weigh(`/generations/${images[0]}`);
  expect(bytes).toBeLessThan(200_000);
  expect(shift).toBeLessThan(0.01);
  expect(await inspectPage(page, 'generation-images')).toEqual([]);
  const coming = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download all' }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe(`framegate-${images[0]}.zip`);
  const archive = await readFile((await download.path()) ?? '');
  // Two local files, and a directory of two at the end.
  expect(archive.readUInt32LE(0)).toBe(0x04034b50);
  expect(
    archive.readUInt16LE(archive.lastIndexOf('PK\u0005\u0006', undefined, 'latin1') + 10),
  ).toBe(2);
  expect(archive.includes(`framegate-${images[0]}-2.jpg`)).toBe(true);
});

test('a picture of the history is an input with one click, from its page or in the studio', async () => {
  await page.goto(`${bed.origin}/generations/${images[0]}`);
  await page.getByRole('link', { name: 'Use as first frame' }).click();
  const first = page.getByLabel('First frame');
  expect(await first.inputValue()).toContain(`/media/outputs/${images[0]}/0.jpg`);
  const picks = page.getByRole('group', { name: 'From your history' }).getByRole('button');
  expect(await picks.count()).toBe(6);
  await picks.first().click();
  const last = page.getByLabel('Last frame');
  await page.waitForFunction(() => {
    const field = document.getElementById('field-last-frame');
    return field instanceof HTMLInputElement && field.value !== '';
  });
  expect(await last.inputValue()).toContain(`/media/outputs/${images.at(-1)}/0.jpg`);
  // What is chosen is shown, and the strip leads to what was made.
  expect(await page.locator('.slot > .thumb img').count()).toBe(1);
  expect(await page.locator('.recent a.thumb').count()).toBe(8);
  expect(await inspectPage(page, 'studio-inputs')).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 860 });
});

test('a video has its first picture before it is played, and keeps its place', async () => {
  await page.goto(`${bed.origin}/studio`);
  await page.getByLabel('Prompt').fill('A boat at dusk');
  await page.getByLabel('Seconds').fill('4');
  await page.getByRole('button', { name: /^Create video/ }).click();
  await page.locator('video[poster]').waitFor();
  const { shift } = await weigh(new URL(page.url()).pathname);
  expect(shift).toBeLessThan(0.01);
  const poster = await page.locator('video').getAttribute('poster');
  const answer = await fetch(poster ?? '');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp']);
  // The address of a poster opens no other file.
  expect((await fetch(String(poster).replace('posters_960', 'outputs'))).status).toBe(403);
  await page.goto(`${bed.origin}/history`);
  expect(await page.locator('.gallery li').first().locator('img').count()).toBe(1);
});

test('no script failed and nothing was blocked on the way', () => {
  expect(trouble).toEqual([]);
});
