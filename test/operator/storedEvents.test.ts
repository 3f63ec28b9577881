import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { dayMs } from '@framegate/contract';
import { createBreakerStore } from '../../gateway/src/adapters/mongo/providers/providerStores.ts';
import { afterSubmission, maxFailures } from '../../gateway/src/domain/providers/breaker.ts';
import { freePort } from '../support/freePort.ts';
import { startTestGateway } from '../support/gateway.ts';
import { collectLog } from '../support/mongod.ts';
import { useOperatorWorld } from './support/operatorWorld.ts';

/* Events other than ledger entries and ends of generations. */

const { world, operator } = useOperatorWorld({ LOW_CREDITS: '40' });

interface Event extends Record<string, unknown> {
  type: string;
  account_id: string | null;
}

async function read(after: string | null, wait = 0) {
  const cursor = after === null ? '' : `&after=${after}`;
  const { json } = await operator.get(`/events?limit=500&wait_seconds=${wait}${cursor}`);
  return json as { data: Event[]; next: string };
}

/** The events since a call of it. */
async function watch() {
  const { next } = await read(null);
  return async () => (await read(next)).data;
}

const typesOf = (events: readonly Event[]) => events.map(({ type }) => type);

test('a new key, a replacement and the end of a key are each reported once', async () => {
  const since = await watch();
  const path = `/accounts/${await world.addCustomer()}/keys`;
  const idempotencyKey = randomUUID();
  const made = await operator.post(path, { name: 'shop' }, idempotencyKey);
  await operator.post(path, { name: 'shop' }, idempotencyKey);
  const first = String(made.json['id']);
  const rotated = await operator.post(`${path}/${first}/rotate`, { overlap_seconds: 600 });
  const second = String(rotated.json['id']);
  await operator.post(`${path}/${second}/revoke`);
  await operator.post(`${path}/${second}/revoke`);
  const events = await since();
  expect(events).toMatchObject([
    { type: 'key.created', key: { id: first, replaces: null } },
    { type: 'key.created', key: { id: second, replaces: first } },
    { type: 'key.revoked', key: { id: first } },
    { type: 'key.revoked', key: { id: second } },
  ]);
  const worksUntil = (index: number) =>
    Date.parse((events[index]?.['key'] as { works_until: string }).works_until);
  const nowMs = world.gateway.clock.now();
  expect(worksUntil(2)).toBeGreaterThan(nowMs + 500_000);
  expect(worksUntil(3)).toBeLessThanOrEqual(nowMs);
});

test('low credits are reported once per fall', async () => {
  const since = await watch();
  const path = `/accounts/${await world.addCustomer()}/credits`;
  const grant = (amount: number) => operator.post(`${path}/grants`, { amount, kind: 'purchased' });
  const take = (amount: number) =>
    operator.post(`${path}/adjustments`, { amount: -amount, reason: 'x' });
  await grant(50);
  await take(10);
  await take(1);
  await take(1);
  await grant(10);
  await take(20);
  const low = (await since()).filter(({ type }) => type === 'credits.low');
  expect(low.map((event) => event['low_credits'])).toEqual([
    { balance: 39, threshold: 40 },
    { balance: 28, threshold: 40 },
  ]);
});

test('credits that expire within a week are reported once, by the upkeep of any process', async () => {
  const since = await watch();
  const id = await world.addCustomer();
  const inDays = (days: number) => {
    const at = world.gateway.clock.now() + days * dayMs;
    return new Date(at).toISOString();
  };
  const grant = (amount: number, days: number) =>
    operator.post(`/accounts/${id}/credits/grants`, {
      amount,
      kind: 'subscription',
      expires_at: inDays(days),
    });
  await grant(70, 6);
  await grant(71, 8);
  const { next } = await read(null);
  const startWorker = async () =>
    startTestGateway({ ...world.gateway.env, ROLE: 'worker', PORT: String(await freePort()) });
  const workers = [await startWorker(), await startWorker()];
  try {
    const { data } = await read(next, 30);
    expect(data).toMatchObject([
      { type: 'credits.expiring', account_id: id, expiring_lots: [{ remaining: 70 }] },
    ]);
  } finally {
    for (const worker of workers) await worker.halt();
  }
  expect(typesOf(await since())).toEqual([
    'credits.granted',
    'credits.granted',
    'credits.expiring',
  ]);
});

test('a provider is reported as open and back in service once, for any number of processes', async () => {
  const since = await watch();
  const { log } = collectLog();
  const stores = [
    createBreakerStore(world.gateway, log, 3_000),
    createBreakerStore(world.gateway, log, 3_000),
  ];
  try {
    const failAtOnce = stores.flatMap((store) =>
      Array.from({ length: maxFailures }, () =>
        store.change('clouds', (breaker, nowMs) =>
          afterSubmission(breaker, { kind: 'failure' }, nowMs),
        ),
      ),
    );
    await Promise.all(failAtOnce);
    await stores[0]?.change('clouds m-1', (breaker, nowMs) =>
      afterSubmission(breaker, { kind: 'model_gone' }, nowMs),
    );
    for (const store of stores) {
      await store.change('clouds', (breaker, nowMs) =>
        afterSubmission(breaker, { kind: 'success' }, nowMs),
      );
    }
  } finally {
    for (const store of stores) store.stop();
  }
  const events = await since();
  expect(events.filter(({ type }) => type.startsWith('provider.'))).toHaveLength(events.length);
  const ofAll = events.filter((event) => partOf(event).part === 'provider');
  expect(ofAll).toMatchObject([
    { type: 'provider.circuit_open', account_id: null, provider: { name: 'clouds' } },
    { type: 'provider.circuit_closed', provider: { name: 'clouds', open_until: null } },
  ]);
  expect(events.filter((event) => partOf(event).part === 'model')).toMatchObject([
    { type: 'provider.circuit_open', provider: { name: 'clouds', part_name: 'm-1' } },
  ]);
});

const partOf = (event: Event) => event['provider'] as { part: string };
