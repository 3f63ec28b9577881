import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { dayMs, hourMs, minuteMs, sum } from '@framegate/contract';
import { connectMongo } from '../../gateway/src/adapters/mongo/connectMongo.ts';
import { createLedgerAudit } from '../../gateway/src/adapters/mongo/credits/ledgerAudit.ts';
import { createUpkeepStore } from '../../gateway/src/adapters/mongo/generations/upkeepStore.ts';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { grantDueMonths } from '../../gateway/src/application/credits/plans.ts';
import { defaultTimings } from '../../gateway/src/application/generations/timings.ts';
import { monthsAfter } from '../../gateway/src/domain/credits/plan.ts';
import { freePort } from '../support/freePort.ts';
import { startTestGateway } from '../support/gateway.ts';
import { collectLog } from '../support/mongod.ts';
import { until } from '../support/until.ts';
import { errorOf, operatorClient, useOperatorWorld } from './support/operatorWorld.ts';

const { world, operator } = useOperatorWorld({ LOW_CREDITS: '0' });

const studio = { name: 'Studio', credits: 500 };
const start = (id: string, body: object = studio, key?: string) =>
  operator.post(`/accounts/${id}/plan`, body, key);
const database = () => world.gateway;
const now = () => database().clock.now();

async function availableOf(id: string): Promise<unknown> {
  return (await operator.get(`/accounts/${id}/credits`)).json['available'];
}

async function ledgerOf(id: string) {
  const { json } = await operator.get(`/accounts/${id}/ledger`);
  return json['data'] as { kind: string; amount: number; reason: string | null }[];
}

/** An account whose plan began this many months ago, and that no one has granted anything since. */
async function addNeglected(credits: number, months: number): Promise<string> {
  const id = await world.addCustomer();
  const startsAt = new Date(now() + hourMs).toISOString();
  await start(id, { name: 'Studio', credits, starts_at: startsAt });
  const startedAt = new Date(monthsAfter(now() - minuteMs, -months));
  const plan = { 'plan.startedAt': startedAt, 'plan.nextAt': startedAt };
  await database().collections.accounts.updateOne(
    { _id: id },
    { $set: plan, $inc: { version: 1 } },
  );
  return id;
}

describe('a plan', () => {
  test('gives its credits once at the start, until the next month begins', async () => {
    const id = await world.addCustomer();
    const key = randomUUID();
    const first = await start(id, studio, key);
    expect(first.status).toBe(201);
    expect(first.json).toMatchObject({ ...studio, object: 'plan', account_id: id, months: 1 });
    const again = await start(id, studio, key);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const { json } = await operator.get(`/accounts/${id}/credits`);
    const next = monthsAfter(Date.parse(String(first.json['started_at'])), 1);
    expect(json).toMatchObject({
      available: 500,
      lots: [{ kind: 'subscription', amount: 500, expires_at: new Date(next).toISOString() }],
    });
    expect(first.json['next_at']).toBe(new Date(next).toISOString());
    expect(await ledgerOf(id)).toMatchObject([{ kind: 'grant', reason: 'Studio, month 1' }]);
    expect((await operator.get(`/accounts/${id}/plan`)).json).toEqual(first.json);
  });

  test('runs one at a time, even when two processes start one simultaneously', async () => {
    const other = await startTestGateway({
      ...world.gateway.env,
      PORT: String(await freePort()),
      OPERATOR_PORT: String(await freePort()),
    });
    try {
      const origin = other.operatorUrl ?? '';
      const second = operatorClient(origin, operator.keyId, operator.operatorKey);
      const id = await world.addCustomer();
      const path = `/accounts/${id}/plan`;
      const responses = await Promise.all([operator.post(path, studio), second.post(path, studio)]);
      expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409]);
      expect(errorOf(await start(id))).toMatchObject({ status: 409, code: 'plan_runs' });
      expect(await availableOf(id)).toBe(500);
    } finally {
      await other.halt();
    }
  });

  test('changes from the next month, ends, and can be followed by another', async () => {
    const id = await world.addCustomer();
    const path = `/accounts/${id}/plan`;
    await start(id);
    const changed = await operator.post(`${path}/change`, { credits: 700 });
    expect(changed.json).toMatchObject({ name: 'Studio', credits: 700, months: 1 });
    expect(await availableOf(id)).toBe(500);
    const ended = await operator.post(`${path}/end`, { reason: 'cancelled' });
    expect(ended.json).toMatchObject({ next_at: null, ended_at: expect.any(String) });
    expect(errorOf(await operator.post(`${path}/end`))).toMatchObject({
      status: 404,
      code: 'plan_not_found',
    });
    expect(errorOf(await operator.post(`${path}/change`, { credits: 1 })).code).toBe(
      'plan_not_found',
    );
    expect((await start(id, { name: 'Solo', credits: 5 })).json).toMatchObject({ months: 1 });
  });

  test('that starts later gives nothing before its start', async () => {
    const id = await world.addCustomer();
    const startsAt = new Date(now() + hourMs).toISOString();
    const { json } = await start(id, { ...studio, starts_at: startsAt });
    expect(json).toMatchObject({ started_at: startsAt, next_at: startsAt, months: 0 });
    const { database: connected, clock } = database();
    await grantDueMonths({ database: connected, clock, random: world.gateway.random }, id);
    expect(await ledgerOf(id)).toEqual([]);
  });

  test('reports its events, and ends with an erasure', async () => {
    const { json } = await operator.get('/events?limit=500');
    expect(json['has_more']).toBe(false);
    const id = await world.addCustomer();
    const path = `/accounts/${id}/plan`;
    await start(id);
    await operator.post(`${path}/change`, { name: 'Studio+' });
    await operator.post(`${path}/change`, { name: 'Studio+' });
    await world.erase(id);
    const events = await operator.get(`/events?limit=500&after=${String(json['next'])}`);
    const seen = events.json['data'] as { type: string }[];
    expect(seen).toMatchObject([
      { type: 'credits.granted', account_id: id },
      { type: 'plan.started', plan: { ...studio, months: 1 } },
      { type: 'plan.changed', plan: { name: 'Studio+' } },
      { type: 'plan.ended', plan: { next_at: null } },
    ]);
  });
});

describe('due months', () => {
  test('are each granted once by several concurrent processes, and past ones expire', async () => {
    const id = await addNeglected(90, 3);
    await operator.post(`/accounts/${id}/plan/change`, { credits: 100 });
    const uri = world.gateway.env['MONGODB_URI'] ?? '';
    const others = await Promise.all(
      ['second', 'third'].map((name) =>
        connectMongo({ uri, log: collectLog().log, self: { id: name, role: 'command' } }),
      ),
    );
    try {
      const { random } = world.gateway;
      const grants = [database(), ...others].flatMap(({ database: home, clock }) =>
        [1, 2, 3].map(() => grantDueMonths({ database: home, clock, random }, id)),
      );
      await Promise.all(grants);
      const dueAfterwards: string[] = [];
      const upkeep = createUpkeepStore(database().collections, database().clock);
      for await (const page of upkeep.listAccountsWithDuePlans({ index: 0, count: 1 }, now())) {
        dueAfterwards.push(...page);
      }
      expect(dueAfterwards).not.toContain(id);
    } finally {
      for (const each of others) await each.close();
    }
    const granted = await ledgerOf(id);
    expect(granted.map(({ reason }) => reason)).toEqual(
      [1, 2, 3, 4].map((month) => `Studio, month ${month}`),
    );
    expect(await availableOf(id)).toBe(100);
  });

  test('are granted and expired by the workers after an outage of three months, and the ledger is clean', async () => {
    const id = await addNeglected(40, 3);
    const startWorker = async () =>
      startTestGateway(
        { ...world.gateway.env, ROLE: 'worker', PORT: String(await freePort()) },
        undefined,
        undefined,
        { ...defaultTimings, upkeepEveryMs: 500, superviseEveryMs: 500 },
      );
    const workers = [await startWorker(), await startWorker()];
    try {
      const isDone = async () => {
        const entries = await ledgerOf(id);
        const expired = entries.filter(({ kind }) => kind === 'expiry');
        return sum(expired.map(({ amount }) => amount)) === -120;
      };
      await until(isDone, 'the months that are over have expired');
    } finally {
      for (const worker of workers) await worker.halt();
    }
    const grants = (await ledgerOf(id)).filter(({ kind }) => kind === 'grant');
    expect(grants.map(({ reason }) => reason)).toEqual(
      [1, 2, 3, 4].map((month) => `Studio, month ${month}`),
    );
    expect(await availableOf(id)).toBe(40);
    const ledgerAudit = createLedgerAudit(database().client, database().collections);
    expect((await verifyLedger({ ledgerAudit }, id)).problems).toEqual([]);
  });
});

test.each([
  ['no credits', { name: 'Studio' }, 'credits'],
  ['0 credits', { ...studio, credits: 0 }, 'credits'],
  ['negative credits', { ...studio, credits: -5 }, 'credits'],
  ['more credits than we can count', { ...studio, credits: 2 ** 53 + 2 }, 'credits'],
  ['half a credit', { ...studio, credits: 1.5 }, 'credits'],
  ['no name', { credits: 5 }, 'name'],
  ['a long name', { ...studio, name: 'x'.repeat(65) }, 'name'],
  ['a day that does not exist', { ...studio, starts_at: '2030-02-30T00:00:00Z' }, 'starts_at'],
  ['an unknown field', { ...studio, months: 3 }, 'months'],
])('a plan with %s is refused', async (_name, body, param) => {
  const id = await world.addCustomer();
  expect(errorOf(await start(id, body))).toMatchObject({
    status: 400,
    code: 'invalid_request',
    param,
  });
  expect(errorOf(await operator.get(`/accounts/${id}/plan`)).code).toBe('plan_not_found');
});

test.each([
  ['in the past', -1_000],
  ['in more than a year', 370 * dayMs],
])('a plan that starts %s is refused', async (_name, inMs) => {
  const id = await world.addCustomer();
  const body = { ...studio, starts_at: new Date(now() + inMs).toISOString() };
  expect(errorOf(await start(id, body))).toMatchObject({ status: 400, code: 'plan_start_invalid' });
});

test('reading and writing plans need their scopes', async () => {
  const id = await world.addCustomer();
  const reader = await world.addKey({ scopes: ['credits:read'] });
  expect(errorOf(await reader.post(`/accounts/${id}/plan`, studio))).toMatchObject({
    status: 403,
    code: 'insufficient_scope',
    message: expect.stringContaining('credits:write') as unknown,
  });
  expect((await reader.get(`/accounts/${id}/plan`)).status).toBe(404);
});
