import { expect } from '@jest/globals';
import sharp from 'sharp';
import { signIn } from './account.ts';
import { button, type Hand, link, type Task } from './task.ts';

const tile = ({ page }: Hand, group: string, value: string) =>
  page.getByRole('group', { name: group }).locator(`input[value="${value}"]`);
const chip = ({ page }: Hand, name: string) => page.locator(`#chip-${name} > summary`);
/** The newest request of the feed. */
const newest = ({ page }: Hand) => page.locator('#feed > .request').first();
const video = (hand: Hand) => newest(hand).locator('video');

/** The file that a click brings. */
async function download(hand: Hand, name: string): Promise<string> {
  const coming = hand.page.waitForEvent('download');
  await hand.click(newest(hand).getByRole('link', { name, exact: true }));
  return (await coming).suggestedFilename();
}

const studio: Task[] = [
  {
    name: 'Make a video from a text, watch and download it',
    as: 'customer',
    start: '/studio',
    max: 3,
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
    name: 'Make a video by keyboard alone',
    as: 'customer',
    start: '/studio',
    max: 1,
    async run(hand) {
      await hand.tabTo('field-prompt');
      await hand.page.keyboard.type('A boat of paper');
      await hand.tabTo('create');
      await hand.enter();
      await video(hand).waitFor();
    },
  },
  {
    name: 'Learn why a video failed, and whether it was charged',
    as: 'customer',
    start: '/history',
    max: 1,
    scrolls: 300,
    async run(hand) {
      await hand.click(link(hand, 'A boat that is refused').last());
      const words = await hand.page.locator('.notice.danger').innerText();
      expect(words).toMatch(/\d+ credits refunded/);
    },
  },
  {
    name: 'Try a failed video again',
    as: 'customer',
    start: '/studio',
    max: 1,
    scrolls: 4000,
    async run(hand) {
      const attempts = hand.page.locator('#feed > .request', { hasText: 'A boat that is lost' });
      await hand.click(attempts.getByRole('button', { name: /^Try again · \d+ credits$/ }));
      // The second one is above the first, and may also have failed by now.
      await attempts.nth(1).waitFor();
    },
  },
  {
    name: 'Make a video from a sample picture',
    as: 'customer',
    start: '/studio',
    max: 3,
    async run(hand) {
      await hand.click(chip(hand, 'inputs'));
      await hand.click(button(hand, 'Use balloons'));
      await hand.page.locator('.slot > .thumb img').waitFor();
      await hand.type('Prompt', 'The balloons rise');
      await hand.click(button(hand, /^Create video/));
      await video(hand).waitFor();
    },
  },
  {
    name: 'Make a video from a photo of my own',
    as: 'customer',
    start: '/studio',
    max: 3,
    async run(hand) {
      const create = { width: 640, height: 360, channels: 3, background: '#246' } as const;
      const buffer = await sharp({ create }).jpeg().toBuffer();
      await hand.click(chip(hand, 'inputs'));
      const file = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer };
      await hand.chooseFile(hand.page.locator('#file-first_frame'), file);
      await hand.page.getByText('Your image, 640 × 360').waitFor();
      await hand.type('Prompt', 'The sea moves');
      await hand.click(button(hand, /^Create video/));
      await video(hand).waitFor();
    },
  },
  {
    name: 'Make four images, and download them all',
    as: 'customer',
    start: '/studio',
    max: 4,
    async run(hand) {
      await hand.click(chip(hand, 'model'));
      await hand.check(tile(hand, 'Model', 'image-b-2'));
      await hand.type('Images (1 to 4)', '4');
      await hand.type('Prompt', 'A lighthouse of glass');
      await hand.click(button(hand, /^Create images/));
      await newest(hand).locator('img').nth(3).waitFor();
      expect(await download(hand, 'Download all')).toMatch(/\.zip$/);
    },
  },
  {
    name: 'Animate the second of several images',
    as: 'customer',
    start: '/studio',
    max: 2,
    async run(hand) {
      const several = hand.page.locator('.request', { has: hand.page.locator('img').nth(1) });
      const animate = several.first().getByRole('button', { name: 'Animate image 2' });
      await hand.click(animate);
      await hand.page.locator('#chip-inputs .mini img').waitFor();
      await hand.type('Prompt', 'The light begins to turn');
      await hand.click(button(hand, /^Create video/));
      await video(hand).waitFor();
    },
  },
  {
    name: 'Sign in and make an image without JavaScript',
    as: 'withoutScript',
    start: '/sign-in',
    max: 5,
    async run(hand) {
      await signIn(hand);
      await hand.click(chip(hand, 'model'));
      await hand.check(tile(hand, 'Model', 'image-b-2'));
      await hand.type('Prompt', 'A lighthouse of glass');
      await hand.click(button(hand, 'Update options and price'));
      await hand.page.getByText('6 credits', { exact: true }).waitFor();
      await hand.click(button(hand, /^Create image/));
      // The page reloads itself until the image is there.
      await newest(hand).locator('img').waitFor();
    },
  },
];

const afterwards: Task[] = [
  {
    name: 'See the cost of an API key',
    as: 'customer',
    start: '/credits',
    max: 1,
    async run(hand, { gateway, keyId }) {
      await hand.click(hand.page.getByLabel('By', { exact: true }).getByText('key'));
      const { generations } = gateway.collections;
      const paid = await generations.find({ keyId, status: { $ne: 'failed' } }).toArray();
      const sum = paid.reduce((all, { costCredits }) => all + Number(costCredits), 0);
      expect(sum).toBeGreaterThan(0);
      await hand.page.locator('.legend', { hasText: `n8n at work ${String(sum)}` }).waitFor();
    },
  },
];

/** Tasks of customers in the studio and afterwards. */
export const studioTasks: readonly Task[] = [...studio, ...afterwards];
