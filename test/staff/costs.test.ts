import { beforeAll, expect, test } from '@jest/globals';
import { dayRange } from '../../gateway/src/application/staff/costs.ts';
import { video } from '../support/bodies.ts';
import type { TestAccount } from '../support/gateway.ts';
import { type ArkGateway, useArkGateway } from '../support/useArkGateway.ts';
import { type Browser, enrolStaff } from './browse.ts';

let account: TestAccount;
let admin: Browser;
let today: string;
/** The API's record of each generation, by prompt. */
const records = new Map<string, string>();

/** No price is stated for 1080p. A video of five seconds in 720p costs 0.30 USD, and 30 credits at 0.02 USD. */
const cost = { currency: 'USD', perSecond: { '480p': 0.02, '720p': 0.05 }, perCall: 0.05 };

const world = useArkGateway({ route: { cost }, env: { CREDIT_VALUE: '0.02 USD' } });
let { ark, gateway } = {} as ArkGateway;
beforeAll(async () => {
  ({ ark, gateway } = world());
  account = await gateway.addAccount({ credits: 10_000 });
  ark.script(
    { prompt: 'breaks', on: 'task', plan: { polls: 0, end: 'failed' } },
    { prompt: 'vanishes', on: 'submit', fault: { kind: 'drop' } },
    {
      prompt: 'is refused',
      on: 'submit',
      fault: { kind: 'error', status: 400, code: 'InvalidParameter' },
    },
  );
  const make = async (prompt: string, fields: object = {}) => {
    const body = video({ model: 'alpha-2.0-pro', prompt, ...fields });
    const { status, json } = await account.post('/v1/videos', body);
    expect([status, json['error']]).toEqual([202, undefined]);
    records.set(prompt, JSON.stringify(await account.untilEnded(String(json['id']))));
  };
  const parameters = { duration_seconds: 5, resolution: '720p' };
  await Promise.all([
    ...['is made', 'breaks', 'vanishes', 'is refused'].map((prompt) =>
      make(prompt, { parameters }),
    ),
    make('is made in 1080p', { parameters: { ...parameters, resolution: '1080p' } }),
  ]);
  today = new Date(gateway.clock.now()).toISOString().slice(0, 10);
  admin = (await enrolStaff(gateway, 'admin')).browser;
});

const attemptsOf = async (prompt: string) => {
  const found = await gateway.collections.generations.findOne({ prompt });
  return found?.['attempts'] as Record<string, unknown>[];
};

test('cost, charge and provider figures of each attempt are kept, and hidden from customers', async () => {
  const priced = { cost: { currency: 'USD', micros: 300_000 } };
  expect(await attemptsOf('is made')).toMatchObject([{ outcome: 'completed', ...priced }]);
  expect(await attemptsOf('breaks')).toMatchObject([{ outcome: 'failed', ...priced }]);
  expect(await attemptsOf('vanishes')).toMatchObject([{ outcome: 'unknown', ...priced }]);
  expect(await attemptsOf('is refused')).toMatchObject([{ outcome: 'refused', isFree: true }]);
  expect(await attemptsOf('is made in 1080p')).toMatchObject([{ cost: null }]);
  const [made] = await attemptsOf('is made');
  expect(made?.['reported']).toMatch(
    /^\{"response":\{"usage":\{"completion_tokens":\d+,"total_tokens":\d+\}\}\}$/,
  );
  expect(records.size).toBe(5);
  for (const record of records.values()) expect(record).not.toMatch(/USD|micros|tokens|isFree/);
});

test('staff see cost, loss and margin, and unknown costs as unknown', async () => {
  const { status, html } = await admin.get('/staff/costs');
  expect(status).toBe(200);
  const text = html.replaceAll(/<title>.*?<\/title>|<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  // Made: 0.30. Failed and unknown, possibly charged and lost: 0.60. Refused: nothing.
  expect(text).toContain('0.90 USD unknown (1 attempt) cost billed, or may be billed');
  expect(text).toContain('0.60 USD may be billed');
  expect(text).toContain('0.60 USD loss');
  expect(text).toContain('unknown margin');
  expect(text).toMatch(/ark upstream-model 5 0\.90 USD unknown \(1 attempt\) 0\.60 USD 0\.60 USD/);
  expect(html).toContain('<svg');
  const [, earned = ''] = /([\d,]+) credits earned ([\d.]+) USD/.exec(text) ?? [];
  expect(Number(earned)).toBeGreaterThan(0);
  const none = await admin.get('/staff/costs?from=2026-01-01&to=2026-01-02');
  expect(none.html).toContain('No generations ended on these days.');
});

test('the export has the same as CSV, and an unknown cost as an empty cell', async () => {
  const response = await admin.fetch(`/staff/costs.csv?from=${today}&to=${today}`);
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const lines = (await response.text()).trimEnd().split('\r\n');
  const start = `${today},ark,upstream-model,alpha-2.0-pro`;
  expect(lines[0]).toBe(
    'day,provider,provider_model,model,charge,delivered,attempts,currency,cost,credits',
  );
  expect(lines.slice(1).map((line) => line.replace(/,\d+$/, ',n'))).toEqual([
    `${start},charged,yes,1,,,n`,
    `${start},charged,yes,1,USD,0.30,n`,
    `${start},none,no,1,USD,0.30,n`,
    `${start},possible,no,2,USD,0.60,n`,
  ]);
});

test('the accountant gets the credits of each customer by month, equal to the balance', async () => {
  const response = await admin.fetch(`/staff/credits.csv?from=${today.slice(0, 7)}`);
  expect(response.headers.get('content-disposition')).toContain(`-${today.slice(0, 7)}.csv`);
  const [heading, ...lines] = (await response.text()).trimEnd().split('\r\n');
  expect(heading).toBe(
    'month,account,email,kind,opening,granted,spent,refunded,adjusted,expired,open',
  );
  const own = lines.filter((line) => line.includes(account.accountId));
  const { available } = (await account.get('/v1/credits/balance')).json;
  const [, , , , opening, granted, spent, refunded, , , open] = own.at(-1)?.split(',') ?? [];
  expect([opening, granted, open]).toEqual(['0', '10000', String(available)]);
  expect(10_000 - Number(spent) + Number(refunded)).toBe(Number(available));
  expect(Number(refunded)).toBeGreaterThan(0);
  const refused = await admin.get('/staff/credits.csv?from=2026-13&to=2026-11');
  expect(refused.status).toBe(400);
  expect(refused.html).toContain('“2026-13” isn&#39;t a valid month.');
});

test('support does not see it', async () => {
  const { browser } = await enrolStaff(gateway, 'support');
  const overview = await browser.get('/staff');
  expect(overview.html).not.toContain('/staff/costs');
  expect((await admin.get('/staff')).html).toContain('/staff/costs');
  for (const path of ['/staff/costs', '/staff/costs.csv', '/staff/credits.csv']) {
    const { status, html } = await browser.get(path);
    expect([status, html.includes('USD'), html.includes('opening')]).toEqual([403, false, false]);
  }
  const stranger = await fetch(`${gateway.origin}/staff/costs.csv`, { redirect: 'manual' });
  expect(stranger.status).toBe(303);
});

test('the generation shows the cost of its attempts', async () => {
  const { generations } = gateway.collections;
  const found = await generations.findOne({ prompt: 'breaks' });
  const { html } = await admin.get(`/staff/generations/${found?._id ?? ''}`);
  expect(html).toContain('0.30 USD');
  expect(html).toContain('may be billed');
});

test.each([
  [{}, '2026-10-24', '2026-11-22'],
  [{ from: '2026-11-01', to: '2026-11-10' }, '2026-11-01', '2026-11-10'],
  [{ from: '2026-11-10', to: '2026-11-01' }, '2026-11-01', '2026-11-01'],
  [{ from: '2020-01-01', to: '2027-01-01' }, '2025-11-22', '2026-11-22'],
  [{ from: '2026-02-30', to: ['x'] }, '2026-10-24', '2026-11-22'],
])('%j asks for %s to %s', (asked, from, to) => {
  expect(dayRange(asked, Date.parse('2026-11-22T12:00:00Z'))).toEqual({ from, to });
});
