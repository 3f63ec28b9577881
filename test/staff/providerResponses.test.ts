import { beforeAll, describe, expect, test } from '@jest/globals';
import { hourMs } from '@framegate/contract';
import { video } from '../support/bodies.ts';
import type { Fault } from '../support/fakeArk/script.ts';
import type { TestAccount } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { type ArkGateway, useArkGateway } from '../support/useArkGateway.ts';
import { type Browser, enrolStaff, openBrowser } from './browse.ts';

/* Providers' responses, visible only to staff, and actions of staff while only the files are missing. */

const providerKey = 'CANARYKEY-0123456789';
let support: Browser;
let account: TestAccount;
let polls = 0;

const world = useArkGateway({
  ark: { apiKey: providerKey },
  provider: { maxConcurrent: 1000 },
  reachFaultPoint: (point) => {
    if (point === 'poll.afterProvider') polls += 1;
  },
});
let { ark, gateway } = {} as ArkGateway;
beforeAll(async () => {
  ({ ark, gateway } = world());
  support = (await enrolStaff(gateway, 'support')).browser;
  account = await gateway.addAccount();
});

interface Stored {
  step: string;
  attempts: { finishedAt?: Date; fault?: string; fetches?: { attempts: number } }[];
  responses?: Record<string, Record<'submit' | 'poll', { at: Date; body: string } | undefined>>;
  timeline: { what: string }[];
}

async function stored(id: string): Promise<Stored> {
  const found = await gateway.collections.generations.findOne({ _id: id });
  return found as unknown as Stored;
}

async function create(prompt: string): Promise<string> {
  const { status, json } = await account.post('/v1/videos', video({ prompt }));
  expect(status).toBe(202);
  return String(json['id']);
}

const page = (id: string) => `/staff/generations/${id}`;
async function reveal(id: string): Promise<string> {
  await support.get(page(id));
  return (await support.send(`${page(id)}/reveal`, { reason: 'the customer asked' })).html;
}

const says = (message: string): Fault => ({
  kind: 'json',
  status: 400,
  body: { error: { code: 'InputTextSensitiveContentDetected', message } },
});

describe('a refusal that quotes the prompt, the key, a signature and HTML', () => {
  const prompt = 'CANARYPROMPT at the sea';
  const message = `<img src=x onerror=alert(1)> "${prompt}" key ${providerKey} https://a.example/b?sig=CANARYSIGNATURE`;
  let id = '';
  beforeAll(async () => {
    ark.script({ prompt, on: 'submit', fault: says(message) });
    id = await create(prompt);
    expect(await account.untilEnded(id)).toMatchObject({ error: { code: 'input_rejected' } });
  });

  test('is on the page without its text, and with it after a reason', async () => {
    const { html } = await support.get(page(id));
    expect(html).toContain('Attempt 1, submission: HTTP 400');
    expect(html).toContain(`<code>POST ${ark.mediaHost}</code>`);
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; &quot;&lt;prompt&gt;&quot; key');
    for (const hidden of ['CANARY', 'Request ID', '<img src=x']) expect(html).not.toContain(hidden);
    const revealed = await reveal(id);
    expect(revealed).toContain('&lt;img src=x onerror=alert(1)&gt; ');
    expect(revealed).not.toContain('<img src=x');
    expect(revealed).toContain('https://a.example/b?&lt;redacted&gt;');
    // The prompt itself, and the provider's raw response.
    expect(revealed.split(prompt)).toHaveLength(3);
    for (const secret of ['CANARYKEY', 'CANARYSIGNATURE']) expect(revealed).not.toContain(secret);
  });

  test('is stored without the key and the signature, and never answered to a customer', async () => {
    const document = JSON.stringify(await stored(id));
    expect(document).toContain('onerror');
    for (const secret of ['CANARYKEY', 'CANARYSIGNATURE']) expect(document).not.toContain(secret);
    for (const path of [`/v1/generations/${id}`, '/v1/credits/balance']) {
      const { text } = await account.get(path);
      expect(text).not.toMatch(/CANARY|onerror|responses|Sensitive/);
    }
  });

  test('is revealed to staff only', async () => {
    const stranger = openBrowser(gateway.origin);
    await stranger.get('/staff/sign-in');
    const { status, html } = await stranger.send(`${page(id)}/reveal`, { reason: 'curious' });
    expect([status, html.includes('onerror')]).toEqual([401, false]);
  });
});

test('a response is kept to a few kilobytes', async () => {
  ark.script({
    prompt: 'long-winded',
    on: 'submit',
    fault: says('and so on '.repeat(20_000)),
  });
  const id = await create('long-winded');
  await account.untilEnded(id);
  expect(JSON.stringify(await stored(id)).length).toBeLessThan(10_000);
  expect((await stored(id)).responses?.['1']?.submit?.body).toMatch(/characters in all\)$/);
});

describe('polls', () => {
  test('that find it unfinished write nothing, and the one that ends it writes once', async () => {
    const error = { code: 'InternalServiceError', message: 'The renderer tripped.' };
    ark.script({ prompt: 'trips', on: 'task', plan: { polls: 3, end: 'failed', error } });
    const id = await create('trips');
    const task = () => ark.submitted().find(({ prompt }) => prompt === 'trips');
    await until(async () => (task()?.polls ?? 0) >= 2);
    const { responses } = await stored(id);
    expect(responses?.['1']?.submit?.body).toBe(`{"id":"${task()?.taskId}"}`);
    expect(responses?.['1']?.poll).toBeUndefined();
    await account.untilEnded(id);
    expect((await stored(id)).responses?.['1']?.poll?.body).toContain('The renderer tripped.');
    expect(await reveal(id)).toContain('The renderer tripped.');
  });

  test('that fail identically are recorded once', async () => {
    ark.script({ prompt: 'ill', on: 'task', plan: { polls: 0, end: 'never' } });
    ark.script({ prompt: 'ill', on: 'poll', times: 3, fault: { kind: 'html', status: 503 } });
    ark.script({ prompt: 'ill', on: 'poll', fault: { kind: 'html', status: 502 } });
    const id = await create('ill');
    const faulty = (fault: string) =>
      until(async () => (await stored(id)).attempts.at(-1)?.fault === fault);
    await faulty('status 503');
    const first = (await stored(id)).responses?.['1']?.poll;
    const seen = polls;
    await until(async () => polls > seen);
    expect((await stored(id)).responses?.['1']?.poll).toEqual(first);
    expect((await support.get(page(id))).html).toContain('last poll error: status 503');
    await faulty('status 502');
    const later = (await stored(id)).responses?.['1']?.poll;
    expect(later?.body).toContain('<h1>Bad Gateway</h1>');
    expect(await reveal(id)).toContain('&lt;h1&gt;Bad Gateway&lt;/h1&gt;');
  });
});

describe('a generation whose files cannot be fetched', () => {
  test('shows this, with a single button to download them now', async () => {
    ark.script({ prompt: 'no files', on: 'media', fault: { kind: 'empty', status: 404 } });
    const id = await create('no files');
    const { generations } = gateway.collections;
    await until(async () => (await stored(id)).attempts.at(-1)?.finishedAt !== undefined);
    // From here on, only the button polls it.
    const unheld = { _id: id, step: 'submitted', leaseUntil: { $lte: new Date() } } as const;
    const later = { $set: { dueAt: new Date(Date.now() + hourMs) } };
    await until(async () => (await generations.updateOne(unheld, later)).matchedCount === 1);
    const { html } = await support.get(page(id));
    expect(html).toContain('Retry download now');
    expect(html).not.toContain('/poll-now"');
    expect(html).toContain('files not stored yet');
    expect(html).toContain('finished by the provider; its files have not been fetched yet');
    const before = ark.submitted().find(({ prompt }) => prompt === 'no files')?.polls ?? 0;
    await support.get(`${page(id)}/retry-download`);
    expect((await support.send(`${page(id)}/retry-download`, {})).status).toBe(303);
    await until(async () =>
      ark.submitted().some((each) => each.prompt === 'no files' && each.polls > before),
    );
    expect((await stored(id)).timeline.map(({ what }) => what)).toContainEqual(
      expect.stringMatching(/^staff: retry the download/),
    );
    const noted = (await stored(id)).timeline.filter(({ what }) =>
      what.includes('not been fetched yet'),
    );
    expect(noted).toHaveLength(1);
    await until(async () => ((await stored(id)).attempts.at(-1)?.fetches?.attempts ?? 0) >= 2);
    const tried = (await support.get(page(id))).html.replaceAll(/(?:<[^>]+>|\s)+/g, ' ');
    expect(tried).toMatch(
      new RegExp(`tried [2-9] times, last [-\\d :.]+ : status 404 from ${ark.mediaHost}`),
    );
    expect(tried).toMatch(/next attempt [-\d :.]+/);
  });

  test('that still runs can only be polled: there is no download to retry', async () => {
    ark.script({ prompt: 'at work', on: 'task', plan: { polls: 0, end: 'never' } });
    const id = await create('at work');
    await until(async () => (await stored(id)).step === 'submitted');
    const { html } = await support.get(page(id));
    expect(html).toContain('/poll-now"');
    expect(html).not.toContain('Retry download');
    await support.get(`${page(id)}/retry-download`);
    const refused = await support.send(`${page(id)}/retry-download`, {});
    expect([refused.status, refused.html.includes('Check it now instead')]).toEqual([409, true]);
  });
});
