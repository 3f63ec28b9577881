import { expect } from '@jest/globals';
import type { Task } from './task.ts';

/** Tasks of people who write programs. */
export const developerTasks: readonly Task[] = [
  {
    name: 'Copy the first call from the documentation',
    as: 'stranger',
    start: '/docs',
    max: 1,
    scrolls: 1000,
    async run(hand, { gateway }) {
      const call = hand.page.locator('pre:visible', { hasText: `${gateway.url}/v1/videos` });
      await hand.click(call.first().getByRole('button', { name: 'Copy' }));
      await hand.page.getByRole('status').getByText('Copied').waitFor();
      const copied = await hand.page.evaluate(() => navigator.clipboard.readText());
      expect(copied).toContain(`${gateway.url}/v1/videos`);
    },
  },
  {
    name: 'Find the meaning of an error code',
    as: 'stranger',
    start: '/docs',
    max: 1,
    async run(hand) {
      await hand.page.getByRole('searchbox', { name: 'Search' }).fill('insufficient_credits');
      await hand.click(hand.page.locator('#search li a').first());
      await hand.page.locator('#error-insufficient_credits').waitFor();
    },
  },
];
