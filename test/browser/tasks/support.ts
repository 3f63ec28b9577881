import { expect } from '@jest/globals';
import { addStaff } from '../../staff/browse.ts';
import { video } from '../../support/bodies.ts';
import { until } from '../../support/until.ts';
import { enrolInBrowser } from '../support/enrolInBrowser.ts';
import { expectSoon } from '../support/expectSoon.ts';
import type { House } from '../support/furnish.ts';
import { button, type Hand, link, type Task } from './task.ts';

const { as, start } = { as: 'staff', start: '/staff' } as const;
const why = 'Reason, for the audit log';

/** Pastes into the search box, and submits. */
async function search(hand: Hand, text: string): Promise<void> {
  await hand.page.getByLabel('Search').fill(text);
  await hand.enter();
}

const heading = ({ page }: Hand, name: string) => page.getByRole('heading', { name });
const main = ({ page }: Hand) => page.locator('main').innerText();

async function expectWords(hand: Hand, words: readonly string[]): Promise<void> {
  const missing = async () => {
    const shown = await main(hand);
    return words.filter((word) => !shown.includes(word));
  };
  await expectSoon(missing, []);
}

/** On the page of the generation that failed, the first lines answer the customer. */
async function expectResponse(hand: Hand, { made }: House): Promise<void> {
  await heading(hand, made.failed).waitFor();
  await expectWords(hand, ['failed', 'generation_failed', 'credits charged and refunded']);
  expect(await main(hand)).not.toContain('A boat');
}

/** On the account's page: the failed ones with their reason and refund. */
async function expectFailed(hand: Hand, { made }: House): Promise<void> {
  await heading(hand, 'ada@example.com').waitFor();
  await hand.click(hand.page.getByLabel('Status', { exact: true }).getByText('failed'));
  const row = hand.page.locator('tr', { hasText: made.failed }).first();
  // Cost and refund.
  expect(await row.innerText()).toMatch(/generation_failed[^]*?\t([\d,]+)\t\1\t/);
}

const findKey = async ({ gateway, accountId }: House) => {
  const account = await gateway.database.accounts.find(accountId);
  const key = account?.keys.at(-1);
  if (!key) throw new Error('the customer has no key');
  return key;
};

const complaints: Task[] = [
  {
    name: 'Find a generation by its id in a mail',
    as,
    start,
    max: 1,
    async run(hand, house) {
      await search(hand, `Hello, my video (${house.made.failed}) never came! Was I charged?`);
      await expectResponse(hand, house);
    },
  },
  {
    name: 'Find a generation by its request id',
    as,
    start,
    max: 1,
    async run(hand, house) {
      const { generations } = house.gateway.database;
      await search(hand, String((await generations.find(house.made.failed))?.requestId));
      await expectResponse(hand, house);
    },
  },
  {
    name: "Find a generation by the provider's task id",
    as,
    start,
    max: 1,
    async run(hand, house) {
      const sent = house.ark.submitted().find(({ prompt }) => prompt.includes('is refused'));
      await search(hand, String(sent?.taskId));
      await expectResponse(hand, house);
    },
  },
  {
    name: "Find a customer's failures by email address",
    as,
    start,
    max: 2,
    async run(hand, house) {
      await search(hand, 'ada@example.com');
      await expectFailed(hand, house);
    },
  },
  {
    name: "Find a customer's failures by the end of a key",
    as,
    start,
    max: 2,
    async run(hand, house) {
      await search(hand, `…${(await findKey(house)).lastFour}`);
      await expectFailed(hand, house);
    },
  },
  {
    name: 'Find a generation and its customer by the beginnings of id, address and key',
    as,
    start,
    max: 3,
    async run(hand, house) {
      await search(hand, house.made.failed.slice(0, 20));
      await expectResponse(hand, house);
      await search(hand, 'ada@exam');
      await heading(hand, 'ada@example.com').waitFor();
      await hand.page.goto(`${house.gateway.origin}/staff`);
      await search(hand, (await findKey(house)).prefix);
      await heading(hand, 'ada@example.com').waitFor();
    },
  },
];

const remedies: Task[] = [
  {
    name: 'Retry a download that fails, and see its result',
    as,
    start: withheld,
    max: 2,
    async run(hand) {
      await hand.click(link(hand, 'Retry download now'));
      await hand.click(button(hand, 'Retry download now'));
      await hand.page.getByRole('status').waitFor();
      await until(async () => {
        await hand.page.reload();
        return /tried \d+ times, last [^]*502/.test(await main(hand));
      }, 'another attempt is told');
    },
  },
  {
    name: 'Resolve an unknown outcome',
    as,
    start: ({ made }) => `/staff/generations/${made.unknown}`,
    max: 3,
    scrolls: 150,
    async run(hand) {
      await expectWords(hand, ['unknown', 'credits charged and refunded']);
      await hand.click(link(hand, 'Resolve unknown outcome'));
      await hand.select(hand.page.getByLabel("In the provider's console"), 'yes');
      await hand.type(why, 'its console shows the task');
      await hand.click(button(hand, 'Resolve unknown outcome'));
      await hand.page.getByText('Resolved: the provider had made it.').first().waitFor();
    },
  },
  {
    name: 'End a generation that runs, and refund it',
    as,
    start: ({ made }) => `/staff/generations/${made.running}`,
    max: 2,
    async run(hand) {
      const { page } = hand;
      await hand.click(link(hand, 'Fail and refund'));
      await heading(hand, 'Fail and refund').waitFor();
      await expectWords(hand, [
        'ada@example.com',
        '30 credits',
        'alpha-2.0-mini',
        'processing for',
      ]);
      const colour = (name: string) =>
        page
          .getByRole('button', { name })
          .evaluate((element) => getComputedStyle(element).backgroundColor);
      expect(await colour('Fail and refund 30 credits')).not.toBe(await colour('Search'));
      await hand.type(why, 'asked by mail');
      await hand.enter();
      await page.getByText('Failed, and 30 credits refunded.').first().waitFor();
    },
  },
  {
    name: 'Give goodwill credits',
    as,
    start: ({ accountId }) => `/staff/accounts/${accountId}`,
    max: 2,
    async run(hand) {
      await hand.click(link(hand, 'Give goodwill credits'));
      await hand.type('Credits', '50');
      await hand.type(why, 'lost video');
      await hand.enter();
      await hand.page.getByRole('status').waitFor();
      await hand.page.locator('tr', { hasText: 'lost video' }).first().waitFor();
    },
  },
];

/** A generation of another customer whose file the provider does not serve. @returns Its page. */
async function withheld({ ark, gateway }: House): Promise<string> {
  const fault = { kind: 'html', status: 502 } as const;
  ark.script({ prompt: 'is withheld', on: 'media', fault });
  const { post } = await gateway.addAccount();
  const { json } = await post('/v1/videos', video({ prompt: 'A boat that is withheld' }));
  const id = String(json['id']);
  const { generations } = gateway.database;
  await until(async () => {
    const found = await generations.find(id);
    return found?.attempts.some(({ fetches }) => fetches !== undefined) === true;
  });
  return `/staff/generations/${id}`;
}

/** Tasks of support. */
export const supportTasks: readonly Task[] = [
  {
    name: 'Enrol with a code of an app',
    as: 'stranger',
    start: '/staff/sign-in',
    max: 1,
    async run(hand, { gateway }) {
      const staff = await addStaff(gateway, 'support');
      await hand.page.goto(gateway.origin + (await staff.link()));
      await enrolInBrowser(hand.page, staff.password, hand.click);
    },
  },
  ...complaints,
  ...remedies,
  {
    name: 'See whether all is well, and why generations fail',
    as,
    start,
    max: 1,
    async run(hand) {
      await expectWords(hand, ['success', 'of the last', 'refunds today']);
      await hand.click(link(hand, 'Charts'));
      await hand.page.getByText('failures, by code').waitFor();
      await expectWords(hand, ['generation_failed']);
    },
  },
];
