import { beforeAll, expect, test } from '@jest/globals';
import { createNoticeStore } from '../../gateway/src/adapters/mongo/mails/noticeStore.ts';
import { mailsTo } from '../site/support/mailbox.ts';
import type { FakeArk } from '../support/fakeArk/fakeArk.ts';
import type { TestAccount, TestGateway } from '../support/gateway.ts';
import type { Browser, Page } from './browse.ts';
import { useConsole } from './consoleWorld.ts';
import { createVideo } from './staffFixtures.ts';

/* A customer's whole email, pasted into the search. */

const world = useConsole(/unknown outcome|provider_circuit_open/);
let ark: FakeArk;
let gateway: TestGateway;
let support: Browser;
let viewer: Browser;
let customer: TestAccount;
const email = 'ada@example.com';
let failedId = '';
let doneId = '';

const harbour = 'Fishing boats drift across the harbour at dawn';
const tower = 'An astronomer climbs the spiral staircase';

beforeAll(async () => {
  ({ ark, gateway, support, viewer } = world());
  customer = await gateway.addAccount({ email, credits: 1_000 });
  ark.script({ prompt: harbour, on: 'submit', fault: { kind: 'html', status: 503 } });
  doneId = await createVideo(customer, tower);
  await customer.untilEnded(doneId);
  failedId = await createVideo(customer, harbour);
  await customer.untilEnded(failedId);
});

async function paste(browser: Browser, q: string, more: Record<string, string> = {}) {
  await browser.get('/staff');
  return browser.send('/staff/search', { q, ...more });
}

/** Ids of the generations of a case, likeliest first. */
const likely = ({ html }: Page) =>
  [...html.matchAll(/<h3><a href="\/staff\/generations\/(gen_\w+)"/g)].map(([, id]) => id);

const reveals = async () => {
  const { html } = await support.get('/staff/audit?term=reveal%20prompt');
  return html.match(/prompts were compared with the email, and none was shown/g)?.length ?? 0;
};

test('an id in an email leads to a verdict, actions and a reply, without reading a prompt', async () => {
  const page = await paste(support, `Hi, this is ${email}. Why does ${failedId} not work, please?`);
  expect(likely(page)).toEqual([failedId]);
  expect(page.html).toMatch(
    /Failed \d+ \w+, \d\d:\d\d UTC: ark was down \(503\)\. \d+ credits refunded\./,
  );
  expect(page.html).toContain(`/staff/accounts/${customer.accountId}/goodwill`);
  expect(page.html).toContain(`/staff/generations/${failedId}/note`);
  expect(page.html).not.toContain('Check who sent it');
  expect(await reveals()).toBe(0);
});

test('a mistyped id, at its start or end, leads to the generation', async () => {
  const wrong = (at: number) =>
    failedId.slice(0, at) + (failedId[at] === '2' ? '3' : '2') + failedId.slice(at + 1);
  for (const id of [wrong(failedId.length - 1), wrong(11)]) {
    const page = await paste(support, `${email} writes: where is my video ${id}, you thieves?`);
    expect([id, likely(page)[0]]).toEqual([id, failedId]);
    expect(page.html).toContain(`Not found: <code>${id}</code>`);
  }
});

test('words of the prompt, amount and time find it, and the audit log has the comparison', async () => {
  const before = await reveals();
  const page = await paste(
    support,
    `My fishing boats in the harbour never came.\nRegards, ${email}`,
  );
  expect(likely(page)).toEqual([failedId]);
  expect(page.html).toMatch(/fits:\s+words of the prompt: [a-z, ]*harbour/);
  expect(page.html).not.toContain('Fishing boats drift');
  expect(await reveals()).toBe(before + 1);

  const { createdAt = new Date(0), costCredits } =
    (await gateway.collections.generations.findOne({ _id: doneId })) ?? {};
  const clock = createdAt.toISOString().slice(11, 16);
  const text = `You took ${costCredits} credits from me at ${clock} today. Give them back! ${email}`;
  const byTime = await paste(support, text);
  expect(likely(byTime)).toContain(doneId);
  expect(byTime.html).toMatch(new RegExp(`fits:\\s+${costCredits} credits; the time, `));
  expect(byTime.html).toMatch(/Completed [^<]*credits charged\. Its files are kept until/);
});

test('an email that names no generation shows the newest and asks for the id', async () => {
  const page = await paste(support, `I am not amused about any of this. ${email}`);
  expect(page.html).toContain('Nothing in the email identifies one of this customer');
  expect(likely(page)).toEqual([failedId, doneId]);
  expect(page.html).toContain('Please send us its ID.');
});

test('a reply is written in the language of the customer, and sent with its paragraphs', async () => {
  const { models, collections } = gateway;
  await createNoticeStore(models, collections).setLanguage(customer.accountId, 'de');
  const page = await paste(support, `Hallo, hier ist ${email}, was ist mit ${failedId} los?`);
  const own = /<textarea[^>]*>([^<]*)</.exec(page.html)?.[1]?.trim() ?? '';
  expect(own).toMatch(
    /^Hallo,\n\ndein Video vom .* ist am .* fehlgeschlagen\. .* erstattet\.\n\nViele Grüße$/,
  );
  const path = `/staff/accounts/${customer.accountId}/mail`;
  const sent = await support.send(path, { template: 'reply', own, reason: 'Reply to an email' });
  expect(sent.status).toBe(303);
  const [mail] = await mailsTo(gateway.dataDir, email);
  expect(mail?.subject).toBe('Zu deiner Anfrage');
  expect(mail?.text).toMatch(/Hallo,(\r?\n){2}dein Video vom/);
  await support.get(path);
  const empty = await support.send(path, { template: 'reply', own: ' ', reason: 'a test' });
  expect([empty.status, empty.html.includes('Write a reply.')]).toEqual([409, true]);
});

test('an email of a stranger is marked, and one that names two customers asks for a choice', async () => {
  const ask = (id: string) => `I am eve@example.com and want to know about ${id} now.`;
  // An exact id opens its page without a case.
  expect((await paste(support, ask(failedId))).location).toBe(`/staff/generations/${failedId}`);
  const other = await gateway.addAccount({ email: 'bob@example.com', credits: 10 });
  const both = `bob@example.com writes about the video ${failedId} which he paid for.`;
  const which = await paste(support, both);
  expect(which.html).toContain('Which customer?');
  const bob = await paste(support, both, { account: other.accountId });
  expect([bob.html.includes('Case of bob@example.com'), likely(bob)]).toEqual([true, []]);
  const ada = await paste(support, both, { account: customer.accountId });
  expect(ada.html).toContain('Check who sent it before you reply.');
});

test('viewers read a case, but cannot send its reply', async () => {
  const page = await paste(
    viewer,
    `This is ${email}, and I ask what happened to ${failedId} there.`,
  );
  expect(likely(page)).toEqual([failedId]);
  expect(page.html).not.toContain(`/staff/accounts/${customer.accountId}/mail`);
});
