import sharp from 'sharp';
import { expect } from '@jest/globals';
import { signIn } from './account.ts';
import { button, link, type Hand, type Task } from './task.ts';

const tile = ({ page }: Hand, group: string, value: string) =>
  page.getByRole('group', { name: group }).locator(`input[value="${value}"]`);
const video = ({ page }: Hand) => page.locator('#stage video');

/** The file that a click brings. */
async function download(hand: Hand, name: string): Promise<string> {
  const coming = hand.page.waitForEvent('download');
  await hand.click(link(hand, name));
  return (await coming).suggestedFilename();
}

const studio: Task[] = [
  {
    name: 'Make a video from a text, watch and download it',
    as: 'customer',
    start: '/studio',
    most: 3,
    async run(hand) {
      await hand.type('Prompt', 'The camera drifts slowly over the water');
      await hand.click(button(hand, /^Create video · \d+ credits$/));
      await hand.play(video(hand));
      await hand.page.waitForFunction(
        () => (document.querySelector('video')?.currentTime ?? 0) > 0.2,
      );
      expect(await download(hand, 'Download')).toMatch(/\.mp4$/);
    },
  },
  {
    name: 'Make a video from a sample picture',
    as: 'customer',
    start: '/studio',
    most: 3,
    async run(hand) {
      await hand.check(tile(hand, 'Mode', 'image-to-video'));
      await hand.click(button(hand, 'Use balloons'));
      await hand.type('Prompt', 'The balloons rise');
      await hand.page.locator('.slot > .thumb img').waitFor();
      await hand.click(button(hand, /^Create video/));
      await video(hand).waitFor();
    },
  },
  {
    name: 'Make a video from a photo of my own',
    as: 'customer',
    start: '/studio',
    most: 3,
    async run(hand) {
      const create = { width: 640, height: 360, channels: 3, background: '#246' } as const;
      const buffer = await sharp({ create }).jpeg().toBuffer();
      await hand.check(tile(hand, 'Mode', 'image-to-video'));
      const file = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer };
      await hand.chooseFile(hand.page.locator('#file-first_frame'), file);
      await hand.page.getByText('Your picture, 640 × 360').waitFor();
      await hand.type('Prompt', 'The sea moves');
      await hand.click(button(hand, /^Create video/));
      await video(hand).waitFor();
    },
  },
  {
    name: 'Make four images, and download them all',
    as: 'customer',
    start: '/studio',
    most: 3,
    async run(hand) {
      await hand.check(tile(hand, 'Model', 'image-b-2'));
      await hand.type('Images (1 to 4)', '4');
      await hand.type('Prompt', 'A lighthouse of glass');
      await hand.click(button(hand, /^Create images/));
      await hand.page.locator('.result img').nth(3).waitFor();
      expect(await download(hand, 'Download all')).toMatch(/\.zip$/);
    },
  },
  {
    name: 'Make a video by keyboard alone',
    as: 'customer',
    start: '/studio',
    most: 1,
    async run(hand) {
      await hand.tabTo('field-prompt');
      await hand.page.keyboard.type('A boat of paper');
      await hand.tabTo('create');
      await hand.enter();
      await video(hand).waitFor();
    },
  },
  {
    name: 'Sign in and make an image without JavaScript',
    as: 'withoutScript',
    start: '/sign-in',
    most: 4,
    async run(hand) {
      await signIn(hand);
      await hand.check(tile(hand, 'Model', 'image-b-2'));
      await hand.type('Prompt', 'A lighthouse of glass');
      await hand.click(button(hand, 'Update options and price'));
      await hand.page.getByText('6 credits', { exact: true }).waitFor();
      await hand.click(button(hand, /^Create image/));
      // The page loads itself anew until the image is there.
      await hand.page.locator('.result img').waitFor();
    },
  },
];

const afterwards: Task[] = [
  {
    name: 'Learn why a video failed, and whether it was charged',
    as: 'customer',
    start: '/history',
    most: 1,
    async run(hand) {
      await hand.click(link(hand, 'A boat that is refused').last());
      const words = await hand.page.locator('.notice.danger').innerText();
      expect(words).toMatch(/\d+ credits were refunded/);
    },
  },
  {
    name: 'Learn what an API key has cost',
    as: 'customer',
    start: '/credits',
    most: 1,
    async run(hand, { bed, keyId }) {
      await hand.click(hand.page.getByLabel('By', { exact: true }).getByText('key'));
      const { generations } = bed.gateway.database.collections;
      const paid = await generations.find({ keyId, status: { $ne: 'failed' } }).toArray();
      const sum = paid.reduce((all, { costCredits }) => all + Number(costCredits), 0);
      expect(sum).toBeGreaterThan(0);
      await hand.page.locator('.legend', { hasText: `n8n at work ${String(sum)}` }).waitFor();
    },
  },
];

/** Tasks of customers in the studio and afterwards. */
export const studioTasks: readonly Task[] = [...studio, ...afterwards];
