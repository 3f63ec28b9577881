import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { grantCredits } from '../../gateway/src/application/credits/grantCredits.ts';
import { refundRule } from '../../gateway/src/domain/credits/refund.ts';
import { type Browser, enrolStaff } from '../staff/browse.ts';
import { ledgerProblems } from '../staff/staffFixtures.ts';
import { video } from '../support/bodies.ts';
import { requests } from '../support/gateway.ts';
import { type ArkGateway, useArkGateway } from '../support/useArkGateway.ts';
import { signUpVerified } from './support/signUpVerified.ts';
import { createVisitor, type Visitor } from './support/visitor.ts';

/* A failed generation keeps its refund, although the rule changes to a half between failures. */

/** A video of five seconds costs 30 credits. */
const cost = 30;
const half = 15;

const world = useArkGateway();
let { ark, gateway } = {} as ArkGateway;
let visitor: Visitor;
let api: ReturnType<typeof requests>;
let accountId: string;
let admin: Browser;
/** A record from before the rule changed. */
let whole: Record<string, unknown>;
let halved: Record<string, unknown>;
let restore: () => void = () => undefined;

async function fail(prompt: string): Promise<Record<string, unknown>> {
  ark.script({ prompt, on: 'task', plan: { polls: 0, end: 'failed' } });
  const { status, json } = await api.post('/v1/videos', video({ prompt }));
  expect([status, json['error']]).toEqual([202, undefined]);
  return api.untilEnded(String(json['id']));
}

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
const pageOf = async (path: string) => textOf((await visitor.get(path)).text);
const consoleOf = async (path: string) => textOf((await admin.get(path)).html);

beforeAll(async () => {
  ({ ark, gateway } = world());
  visitor = createVisitor(gateway.origin);
  await signUpVerified(visitor, gateway.dataDir, 'ada@example.com');
  const { database, clock } = gateway;
  accountId = (await database.accounts.findByEmail('ada@example.com'))?.id ?? '';
  await grantCredits(
    { database, clock, random: gateway.random },
    { accountId, amountCredits: 1_000, kind: 'purchased', expiresAt: null, reason: null },
  );
  const form = await visitor.get('/settings/public-api');
  const limit = { models: 'alpha-2.0-mini', daily_credits: '500' };
  const fields = { form_key: form.field('form_key'), name: 'test', ...limit };
  const made = await visitor.post('/settings/public-api/keys', fields);
  api = requests(gateway.origin, /value="(fg_live_\w+)"/.exec(made.text)?.[1] ?? '');

  whole = await fail('whole');
  const changed = jest.spyOn(refundRule, 'creditsFor');
  restore = () => changed.mockRestore();
  changed.mockImplementation((credits) => Math.ceil(credits / 2));
  halved = await fail('halved');
  admin = (await enrolStaff(gateway, 'admin')).browser;
});
afterAll(() => {
  restore();
  expect(gateway.errors).toEqual([]);
});

test('the API reports the refund by the rule of its time', async () => {
  expect(whole).toMatchObject({ billing: { cost_credits: cost, refunded_credits: cost } });
  expect((await api.get(`/v1/generations/${String(whole['id'])}`)).json).toEqual(whole);
  expect(halved).toMatchObject({
    billing: { cost_credits: cost, status: 'refunded', refunded_credits: half },
  });
});

test('the balance, the ledger and the daily limit of the key move by the refund', async () => {
  const { json } = await api.get('/v1/credits/balance');
  expect(json).toMatchObject({ available: 1_000 - half, in_flight: 0 });
  const { accounts, ledger } = gateway.database;
  const refunds = (await ledger.find(accountId)).filter(({ kind }) => kind === 'refund');
  expect(refunds.map(({ amount }) => amount)).toEqual([cost, half]);
  expect((await accounts.find(accountId))?.keys.map(({ daySpent }) => daySpent?.credits)).toEqual([
    half,
  ]);
  expect(await ledgerProblems(gateway)).toEqual([]);
});

test("the account's pages show and sum it", async () => {
  const history = await pageOf('/history');
  expect(history.match(/30 credits, refunded/g)).toHaveLength(1);
  expect(history.match(/30 credits, 15 refunded/g)).toHaveLength(1);
  const former = await pageOf(`/generations/${String(whole['id'])}`);
  expect(former).toContain('30 credits refunded.');
  const one = await pageOf(`/generations/${String(halved['id'])}`);
  expect(one).toContain('15 credits refunded.');
  expect(await pageOf('/credits')).toContain('15 credits spent on generations, refunds excluded');
});

test("the console's pages show and sum it", async () => {
  const headings = await Promise.all(
    [whole, halved].map(async ({ id }) => {
      const text = await consoleOf(`/staff/generations/${String(id)}`);
      return /[\d,]+ credits charged(?: and refunded|, \d+ refunded)?/.exec(text)?.[0];
    }),
  );
  expect(headings).toEqual(['30 credits charged and refunded', '30 credits charged, 15 refunded']);
  const list = await consoleOf('/staff/generations?state=failed');
  expect(list.match(/alpha-2\.0-\w+ \w* ?30 (?:30|15) /g)?.map((line) => line.slice(-6))).toEqual([
    '30 15 ',
    '30 30 ',
  ]);
  expect(await consoleOf('/staff')).toMatch(/\b2 refunds today 45 credits/);
  expect(await consoleOf('/staff/charts')).toContain('45 credits refunded');
  expect(await consoleOf('/staff/costs')).toMatch(/\b15 credits earned/);
});
