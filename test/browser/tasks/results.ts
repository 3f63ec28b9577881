import { expect } from '@jest/globals';
import { addVideo } from '../support/addVideo.ts';
import { expectSoon } from '../support/expectSoon.ts';
import { button, type Hand, link, type Task } from './task.ts';

const as = 'customer';
const requestsOf = ({ page }: Hand) => page.locator('#feed > .request');
const item = ({ page }: Hand, words: string) => page.locator('.wall > li', { hasText: words });
const onItsPage: Task['start'] = ({ made }) => `/generations/${made.completed}`;

const again: Task[] = [
  {
    name: 'Continue a video from its last frame',
    as,
    start: onItsPage,
    max: 2,
    async run(hand) {
      await hand.click(button(hand, 'Continue from last frame'));
      await hand.page.getByText("The video's last frame is now the first frame.").waitFor();
      await hand.page.locator('#chip-inputs .mini img').waitFor();
      await hand.type('Prompt', 'The boat is tied up');
      await hand.click(button(hand, /^Create video/));
      await requestsOf(hand).first().getByText('The boat is tied up').waitFor();
    },
  },
  {
    name: 'Make a video again with the same seed',
    as,
    start: onItsPage,
    max: 2,
    async run(hand, { gateway, made }) {
      await hand.click(link(hand, 'Same seed'));
      await hand.page.getByRole('heading', { name: 'Studio' }).waitFor();
      const { generations } = gateway.collections;
      const prompt = String((await generations.findOne({ _id: made.completed }))?.prompt);
      expect(await hand.page.getByLabel('Prompt').inputValue()).toBe(prompt);
      const count = () => generations.countDocuments({ prompt });
      await hand.click(button(hand, /^Create video/));
      await expectSoon(count, 2);
      const all = await generations.find({ prompt }).toArray();
      expect(new Set(all.map(({ parameters }) => parameters?.seed)).size).toBe(1);
    },
  },
  {
    name: 'Make three variations in a row',
    as,
    start: '/studio',
    max: 3,
    async run(hand) {
      await hand.type('Prompt', 'Three kites above the dunes');
      for (const count of [1, 2, 3]) {
        await hand.click(button(hand, /^Create video/));
        const kites = requestsOf(hand).filter({ hasText: 'Three kites' });
        await expectSoon(() => kites.count(), count);
      }
    },
  },
  {
    name: 'Start another video while one runs, with both in sight',
    as,
    start: '/studio',
    max: 1,
    async run(hand, { ark }) {
      ark.script({ prompt: 'goes on', on: 'task', plan: { polls: 0, end: 'never' } });
      await hand.type('Prompt', 'A second boat that goes on');
      await hand.click(button(hand, /^Create video/));
      await requestsOf(hand).first().getByText('A second boat that goes on').waitFor();
      expect(await requestsOf(hand).count()).toBeGreaterThan(1);
    },
  },
];

const inputs: Task[] = [
  {
    name: 'Use the address of an image of my own as first frame',
    as,
    start: ({ made }) => `/generations/${made.images}`,
    max: 2,
    async run(hand, { gateway }) {
      const address = await hand.page.locator('.result a').first().getAttribute('href');
      await hand.page.goto(`${gateway.origin}/studio`);
      await animated(hand);
      await hand.type('First frame', String(address));
      await hand.page.getByLabel('Prompt').focus();
      await hand.page.locator('.slot > .thumb img').waitFor();
    },
  },
  {
    name: 'Learn why the address of a picture is refused',
    as,
    start: '/studio',
    max: 2,
    async run(hand) {
      await animated(hand);
      await hand.type('First frame', 'https://else.example/a.png');
      await hand.page.getByLabel('Prompt').focus();
      await hand.page
        .locator('#field-first-frame-problem')
        .getByText("isn't approved for any of your API keys")
        .waitFor();
    },
  },
];

/** Chooses "Image to Video" in the chip of inputs. */
async function animated(hand: Hand): Promise<void> {
  await hand.click(hand.page.locator('#chip-inputs > summary'));
  await hand.check(hand.page.locator('input[value="image-to-video"]'));
  await hand.page.locator('#field-first-frame').waitFor();
}

const history: Task[] = [
  {
    name: 'Find an old video by a word of its prompt',
    as,
    start: '/history',
    max: 1,
    async run(hand) {
      await hand.type('Search prompts', 'lamp');
      await hand.enter();
      await hand.page.getByRole('link', { name: 'Show all' }).waitFor();
      expect(await item(hand, 'with one lamp').count()).toBeGreaterThan(0);
      expect(await item(hand, 'lost').count()).toBe(0);
    },
  },
  {
    name: 'Compare three videos side by side',
    as,
    start: '/history',
    max: 5,
    async run(hand) {
      const kites = item(hand, 'Three kites');
      for (const each of [0, 1, 2]) await hand.check(kites.nth(each).getByRole('checkbox'));
      await hand.click(button(hand, 'Compare'));
      await hand.click(button(hand, 'Play all'));
      const playing = () =>
        hand.page
          .locator('.sides video')
          .evaluateAll(
            (all) => all.filter((each) => each instanceof HTMLVideoElement && !each.paused).length,
          );
      await expectSoon(playing, 3);
    },
  },
  {
    name: 'Mark a favourite, and see all of them',
    as,
    start: '/history',
    max: 2,
    async run(hand) {
      const first = item(hand, 'Three kites').first();
      await first.hover();
      await hand.click(first.getByRole('button', { name: /^Favourite/ }));
      await first.locator('[aria-pressed="true"]').waitFor();
      await hand.click(link(hand, 'Favourites'));
      await expectSoon(() => hand.page.locator('.wall > li').count(), 1);
    },
  },
  {
    name: 'Put a result into a new collection',
    as,
    start: '/history',
    max: 3,
    async run(hand) {
      await hand.check(item(hand, 'Three kites').first().getByRole('checkbox'));
      await hand.click(hand.page.locator('#wall').getByText('Add to collection'));
      await hand.type('Name of the new collection', 'Kites');
      await hand.enter();
      await hand.page.getByText('Added to “Kites”.').waitFor();
    },
  },
  {
    name: 'Share a result by a link',
    as,
    start: onItsPage,
    max: 2,
    async run(hand, { gateway }) {
      await hand.click(link(hand, 'Share'));
      await hand.click(button(hand, 'Create link'));
      const address = await hand.page.getByLabel('Link', { exact: true }).inputValue();
      expect(address).toContain(gateway.origin);
    },
  },
  {
    name: 'Delete a result',
    as,
    start: async ({ gateway, accountId }) =>
      `/generations/${await addVideo(gateway, accountId, 9)}`,
    max: 3,
    async run(hand) {
      await hand.click(hand.page.getByText('More actions'));
      await hand.click(hand.page.getByText('Delete…'));
      await hand.click(button(hand, 'Delete it'));
      await hand.page.getByText('1 deleted.').waitFor();
    },
  },
  {
    name: 'See what each key has used of its limit today',
    as,
    start: '/studio',
    max: 1,
    async run(hand) {
      await hand.click(link(hand, 'API keys'));
      await hand.page.locator('.keys tbody tr', { hasText: 'of 500' }).first().waitFor();
    },
  },
  {
    name: 'Begin from an empty history',
    as: 'newcomer',
    start: '/history',
    max: 1,
    async run(hand) {
      await hand.click(link(hand, 'Create your first video'));
      await hand.page.getByText('Your videos and images appear here.').waitFor();
    },
  },
];

/** Tasks of customers with their results. */
export const resultTasks: readonly Task[] = [...again, ...inputs, ...history];
