import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { type InputHost, startInputHost } from '../faults/inputHost.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { choose } from './support/choose.ts';
import { expectSoon } from './support/expectSoon.ts';
import { inspectEverywhere } from './support/inspectPage.ts';
import { newPerson, openBrowser } from './support/openBrowser.ts';
import { signUpInBrowser } from './support/signUpInBrowser.ts';

let gateway: TestGateway;
let browser: Browser;
let page: Page;
let trouble: string[];
let photo: Buffer;
let folder: string;
let storage: InputHost;

beforeAll(async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const create = { width: 640, height: 360, channels: 3, background: '#000', noise } as const;
  photo = await sharp({ create }).jpeg().toBuffer();
  folder = await mkdtemp(join(tmpdir(), 'framegate-storage-'));
  storage = await startInputHost(folder);
  const hosts = { ...storage.env, AUTO_APPROVED_HOSTS: storage.host };
  [gateway, browser] = await Promise.all([
    startTestGateway({ ROLE: 'api', SIGNUP_CREDITS: '100', ...hosts }),
    openBrowser(),
  ]);
  ({ page, trouble } = await newPerson(browser));
  await signUpInBrowser(page, gateway, 'ada@example.com');
});
afterAll(async () => {
  await browser.close();
  await gateway.stop();
  await storage.close();
  await rm(folder, { recursive: true });
  expect(gateway.errors).toEqual([]);
});

const focused = () => page.evaluate(() => document.activeElement?.id);

/** Drops a file on an element, as a person with a mouse does. */
const drop = (selector: string, bytes: Buffer) =>
  page.locator(selector).evaluate(
    (element, { data }) => {
      const dataTransfer = new DataTransfer();
      const file = Uint8Array.from(atob(data), (letter) => letter.codePointAt(0) ?? 0);
      dataTransfer.items.add(new File([file], 'photo.jpg', { type: 'image/jpeg' }));
      for (const type of ['dragover', 'drop']) {
        const options = { dataTransfer, bubbles: true, cancelable: true };
        if (element.dispatchEvent(new DragEvent(type, options))) {
          throw new Error(`${type} not taken`);
        }
      }
    },
    { data: bytes.toString('base64') },
  );

test('a file is dropped, seen, removed by the keyboard, and chosen again', async () => {
  await page.goto(`${gateway.origin}/studio`);
  await choose(page, 'Mode', 'image-to-video');
  await page.locator('#file-first_frame').waitFor();
  await page.getByLabel('Prompt').fill('kept');
  await drop('.slot >> nth=1', photo);
  await page.getByText('Your image, 640 × 360').waitFor();
  expect(await page.locator('.toast').count()).toBe(0);
  await expectSoon(focused, 'clear-last_frame');
  const width = () =>
    page.locator('.slot img').evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expectSoon(width, 320);
  await page.keyboard.press('Enter');
  await page.locator('#file-last_frame').waitFor();
  await expectSoon(focused, 'file-last_frame');
  await page.locator('#file-first_frame').setInputFiles({
    name: 'photo.jpg',
    mimeType: 'image/jpeg',
    buffer: photo,
  });
  await page.getByText('Your image, 640 × 360').waitFor();
  expect(await page.getByLabel('Prompt').inputValue()).toBe('kept');
  expect(await inspectEverywhere(page, 'studio-upload')).toEqual([]);
});

test('an unusable file is reported at its place; one that is too large is not even sent', async () => {
  const file = (buffer: Buffer) => ({ name: 'x.png', mimeType: 'image/png', buffer });
  await page.locator('#file-last_frame').setInputFiles(file(Buffer.from('no picture')));
  await page.locator('#field-last-frame-problem').waitFor();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.method()));
  await page.locator('#file-last_frame').setInputFiles(file(Buffer.alloc(20_000_001)));
  await page.getByText('Use a file of at most 20 MB.').waitFor();
  expect(sent).toEqual([]);
  await page.getByRole('button', { name: /^Create video/ }).click();
  await page.waitForURL(/generation=/);
  await expectSoon(() => page.getByText('Your image, 640 × 360').count(), 1);
  await page.getByRole('link', { name: 'Details' }).click();
  await page.getByRole('heading', { name: 'Inputs' }).waitFor();
  expect(await page.locator('main').innerText()).toContain('your upload');
  expect(trouble).toEqual([]);
});

test('a typed address shows its picture automatically, and typed text stays', async () => {
  await page.goto(`${gateway.origin}/studio`);
  await choose(page, 'Mode', 'image-to-video');
  await page.getByLabel('Prompt').fill('kept');
  await page.locator('#field-first-frame').fill(storage.serve('photo.jpg', photo));
  await page.getByLabel('Prompt').focus();
  await page.getByText('image, 640 × 360').waitFor();
  expect(await focused()).toBe('field-prompt');
  const width = () =>
    page.locator('.slot img').evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expectSoon(width, 320);
  await expectSoon(() => page.getByRole('button', { name: 'Show First frame' }).count(), 0);
  await page.locator('#field-last-frame').fill('https://else.example/a.png');
  await page.getByLabel('Prompt').focus();
  await page.locator('#field-last-frame-problem').waitFor();
  expect(await page.getByLabel('Prompt').inputValue()).toBe('kept');
  expect(await inspectEverywhere(page, 'studio-address')).toEqual([]);
  expect(trouble).toEqual([]);
});
