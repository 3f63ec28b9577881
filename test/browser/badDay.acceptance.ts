import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { arkRoutes } from '../support/arkRoutes.ts';
import { type FakeArk, startFakeArk } from '../support/fakeArk/fakeArk.ts';
import type { TestGateway } from '../support/gateway.ts';
import { type BadDay, failures, fillBadDay } from './badDay/fillBadDay.ts';
import { type Ticket, ticketNames, writeTickets } from './badDay/tickets.ts';
import { enterConsole } from './support/enrolInBrowser.ts';
import { expectSoon } from './support/expectSoon.ts';
import { inspectPage } from './support/inspectPage.ts';
import { newPerson, openBrowser } from './support/openBrowser.ts';
import { startNamedGateway } from './support/virtualPasskey.ts';
import { button, createHand, distanceFromView, type Hand, link } from './tasks/task.ts';

/*
 * A day on which a provider is down: 300 generations fail, and support gets 40 emails. Each question is answered
 * within two clicks from the overview, without a long way down the page.
 */
const maxClicks = 2;
const maxScrolling = 900;

let ark: FakeArk;
let folder: string;
let gateway: TestGateway;
let browser: Browser;
let page: Page;
let trouble: string[];
let day: BadDay;
let tickets: Ticket[];
let hand: Hand;

beforeAll(async () => {
  ark = await startFakeArk();
  folder = await mkdtemp(join(tmpdir(), 'framegate-day-'));
  const cost = { currency: 'USD', perCall: 0.01 };
  const provider = { maxConcurrent: 1_000, budget: { currency: 'USD', perDay: 1_000 } };
  [gateway, browser] = await Promise.all([
    startNamedGateway(await arkRoutes(folder, ark, provider, { cost })),
    openBrowser(),
  ]);
  day = await fillBadDay(gateway, ark);
  tickets = writeTickets(day);
  ({ page, trouble } = await newPerson(browser));
  await enterConsole(page, gateway, 'support');
});
afterAll(async () => {
  await browser.close();
  await gateway.stop();
  await ark.close();
  await rm(folder, { recursive: true, force: true });
});

/** Every question begins at the overview. */
async function begin(): Promise<void> {
  await page.goto(`${gateway.origin}/staff`);
  hand = createHand(page);
}

/** Pastes like a person: lines become spaces in a field of one line. */
async function paste(text: string): Promise<void> {
  await page.getByLabel('Search').click();
  await page.keyboard.insertText(text);
  await hand.enter();
}

const main = () => page.locator('main').innerText();
const strip = () => page.locator('section.notice.danger');
const openCircuit = () => strip().getByRole('link', { name: 'ark has an open circuit' });
const waiting = () => strip().getByRole('link', { name: /waiting$/ });
const failed = () => strip().getByRole('link', { name: /failures since/ });
const affected = () => strip().getByRole('link', { name: /customers$/ });

/** Waits for the words on the page, which must appear near the top after few clicks. */
async function expectResponse(words: readonly string[], clicks = maxClicks): Promise<void> {
  const missing = async () => {
    const shown = await main();
    return words.filter((word) => !shown.includes(word));
  };
  await expectSoon(missing, []);
  const distances = await Promise.all(
    words.map((word) =>
      page
        .locator('main')
        .getByText(word)
        .locator('visible=true')
        .first()
        .evaluate(distanceFromView),
    ),
  );
  expect(Math.max(...distances)).toBeLessThanOrEqual(maxScrolling);
  expect(hand.count()).toBeLessThanOrEqual(clicks);
}

describe('each of 40 emails is answered by the page that its pasted text opens', () => {
  test('covers 40', () => {
    expect([ticketNames.length, tickets.length]).toEqual([40, 40]);
  });

  test.each(ticketNames.map((name, index) => [name, index] as const))('%s', async (_, index) => {
    const { mail, response } = tickets[index] as Ticket;
    await begin();
    if (mail !== null) await paste(mail);
    await expectResponse(response);
  });

  test('shows all ids of one paste in one list, and names unknown ones', async () => {
    const made = day.failed.slice(0, 40);
    const unknown = `gen_${'0'.repeat(26)}`;
    await begin();
    await paste([...made.map(({ id }) => id), unknown].join('\n'));
    await expectResponse([`Not found: ${unknown}`]);
    const rows = await page.locator('tbody tr').allInnerTexts();
    expect(rows).toHaveLength(40);
    // Each has its customer, state, cause, and the refund of the full cost.
    const told = made.map(({ id, patron, code }) =>
      rows.some((row) => {
        const [own, email, state, failure, , , cost, refund] = row.split('\t');
        const isSame = own === id && email === patron.email && state === 'failed';
        return isSame && failure === code && cost === refund;
      }),
    );
    expect(told.filter(Boolean)).toHaveLength(40);
    expect(await inspectPage(page, 'staff-found')).toEqual([]);
  });
});

describe('the overview', () => {
  test('begins with the provider, the start, the models and the damage, each as a link', async () => {
    await begin();
    await expectResponse(['ark has an open circuit']);
    const words = (await strip().innerText()).replaceAll(/\s+/g, ' ');
    expect(words).toMatch(/^ark has an open circuit since \d\d:\d\d \(UTC\), for [\d. a-z]+ ·/);
    const names = await strip().getByRole('link').allInnerTexts();
    expect(names).toEqual([
      'ark has an open circuit',
      ...names.slice(1, -4),
      `${String(day.waiting.length)} waiting`,
      expect.stringMatching(`^${String(failures)} failures since \\d\\d:\\d\\d \\(UTC\\)$`),
      `${String(day.patrons.length)} customers`,
      expect.stringMatching(/^[\d,]+ credits refunded$/),
    ]);
    expect(names.slice(1, -4)).toContain('beta-3.0');
    expect(await inspectPage(page, 'staff-bad-day')).toEqual([]);
  });

  const questions: readonly [name: string, go: () => Locator, response: () => string[]][] = [
    [
      'Which provider is it, and can it be paused?',
      () => openCircuit(),
      () => ['circuit open', 'ark'],
    ],
    [
      'Which failed of this model?',
      () => strip().getByRole('link', { name: 'beta-3.0', exact: true }),
      () => ['beta-3.0', day.failed.find((_, index) => index % 3 === 2)?.patron.email ?? ''],
    ],
    ['Which wait, since when?', () => waiting(), () => day.waiting.map(({ id }) => id)],
    ['Which failed?', () => failed(), () => ['generation_failed', 'Download up to 5,000 as CSV']],
    [
      'Whom does it affect, and with what loss?',
      () => affected(),
      () => day.patrons.map(({ email }) => email),
    ],
  ];

  test.each(questions)('%s', async (_, go, expected) => {
    await begin();
    await hand.click(go());
    await expectResponse(expected());
  });

  test('exports its failures as a file within two clicks', async () => {
    await begin();
    await hand.click(failed());
    const coming = page.waitForEvent('download');
    await hand.click(link(hand, 'Download up to 5,000 as CSV'));
    const lines: string[] = [];
    for await (const part of await (await coming).createReadStream()) lines.push(String(part));
    const [head, ...rows] = lines.join('').trim().split('\r\n');
    expect(head).toMatch(/^generation,account,email,state,failure,model,provider,/);
    expect(rows).toHaveLength(failures);
    const told = rows.map((row) => row.split(',').slice(2, 5).join(' '));
    expect(told).toEqual(
      expect.arrayContaining(
        day.failed.map(({ patron, code }) => `${patron.email} failed ${code}`),
      ),
    );
    expect(hand.count()).toBeLessThanOrEqual(maxClicks);
  });
});

describe('the affected customers', () => {
  test('are each compensated for their loss once, within three clicks', async () => {
    await begin();
    await hand.click(affected());
    // In percent of each customer's loss: all of it is more than support may give.
    await page.getByLabel('Amount', { exact: true }).fill('1');
    await hand.type('Reason, for the audit log', 'the outage of today');
    await hand.click(button(hand, 'See the total'));
    const count = String(day.patrons.length);
    await hand.click(page.getByRole('button', { name: /^Give [\d,]+ credits to \d+ customers$/ }));
    await expectResponse([`${count} of ${count} customers were given credits.`], 3);
  });

  test('are mailed within two clicks', async () => {
    await begin();
    await hand.click(affected());
    await hand.type('Reason, for the audit log', 'the outage of today');
    await hand.click(button(hand, 'Email each'));
    const count = String(day.patrons.length);
    await expectResponse([`${count} of ${count} customers were emailed.`]);
  });

  test('can be chosen one by one', async () => {
    await begin();
    await hand.click(affected());
    await page.getByText('10 customers · all selected').waitFor();
    expect(await inspectPage(page, 'staff-affected')).toEqual([]);
    await hand.click(link(hand, 'Clear selection'));
    expect(await page.locator('input:checked').count()).toBe(0);
    await hand.check(page.getByLabel(day.patrons[0]?.email ?? ''));
    expect(await page.locator('input:checked').count()).toBe(1);
  });
});

test('with waiting generations are chosen together, failed and refunded', async () => {
  await begin();
  await hand.click(waiting());
  expect(await page.locator('input:checked').count()).toBe(0);
  await hand.click(link(hand, 'Select all'));
  await hand.type('Reason, for the audit log', 'the provider is down');
  await hand.click(button(hand, 'Fail and refund'));
  const count = String(day.waiting.length);
  await page.getByText(`${count} of ${count} generations were refunded.`).waitFor();
  expect(trouble).toEqual([]);
});
