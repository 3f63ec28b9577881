import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '../support/freePort.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import {
  errorOf,
  type OperatorClient,
  operatorClient,
  useOperatorWorld,
} from './support/operatorWorld.ts';

const { world, operator } = useOperatorWorld({ LOW_CREDITS: '99' });
/** The operator API of a second process on the same database. */
let other: TestGateway;
let second: OperatorClient;
beforeAll(async () => {
  other = await startTestGateway({
    ...world.gateway.env,
    PORT: String(await freePort()),
    OPERATOR_PORT: String(await freePort()),
  });
  const origin = other.operatorUrl ?? '';
  second = operatorClient(origin, operator.keyId, operator.operatorKey);
});
afterAll(async () => {
  await other.halt();
  expect(other.errors).toEqual([]);
});

interface Event {
  id: string;
  type: string;
  account_id: string;
  ledger_entry?: { number: number; generation_id: string | null };
  key?: { id: string };
  generation?: { id: string; status: string };
}

interface Events {
  data: Event[];
  next: string;
}

const read = async (client: OperatorClient, after: string | null, limit = 100, wait = 0) => {
  const cursor = after === null ? '' : `&after=${after}`;
  const path = `/events?limit=${limit}&wait_seconds=${wait}${cursor}`;
  return (await client.get(path)).json as unknown as Events;
};

/** Reads on to the end. */
async function readAll(client: OperatorClient, from: string | null, limit = 100) {
  const seen: Event[] = [];
  for (let next = from; ;) {
    const page = await read(client, next, limit);
    seen.push(...page.data);
    ({ next } = page);
    if (page.data.length === 0) return { seen, next };
  }
}

const image = { model: 'image-b-2', prompt: 'A cup.' };

test('report the history of an account, in order', async () => {
  const { next: from } = await readAll(operator, null);
  const id = await world.addCustomer();
  const path = `/accounts/${id}`;
  await operator.post(`${path}/credits/grants`, { amount: 100, kind: 'purchased' });
  const { json } = await operator.post(`${path}/images`, image);
  await operator.post(`/generations/${String(json['id'])}/fail`, { reason: 'test' });
  await operator.post(`${path}/credits/adjustments`, { amount: -1, reason: 'test' });
  const { seen } = await readAll(operator, from, 2);
  expect(seen.map(({ type }) => type)).toEqual([
    'credits.granted',
    'credits.charged',
    'credits.low',
    'credits.refunded',
    'generation.failed',
    'credits.adjusted',
  ]);
  expect(seen.map((event) => event.account_id)).toEqual(Array.from({ length: 6 }, () => id));
  expect(seen[4]?.generation).toMatchObject({ id: json['id'], status: 'failed' });
  expect(seen[1]?.ledger_entry).toMatchObject({ number: 2, generation_id: json['id'] });
});

test('reach every follower once, in order within an account, while two processes write', async () => {
  const { next: from } = await readAll(operator, null);
  const ids = [await world.addCustomer(), await world.addCustomer(), await world.addCustomer()];
  let writing = 0;
  const write = async (client: OperatorClient, turn: number) => {
    const path = `/accounts/${ids[turn % ids.length] ?? ''}`;
    writing += 1;
    try {
      await client.post(`${path}/credits/grants`, { amount: 500, kind: 'purchased' });
      const { json: key } = await client.post(`${path}/keys`, { name: `turn ${turn}` });
      await client.post(`${path}/keys/${String(key['id'])}/revoke`);
      const { json } = await client.post(`${path}/images`, image);
      await client.post(`/generations/${String(json['id'])}/fail`, { reason: 'test' });
    } finally {
      writing -= 1;
    }
  };
  const follow = async (client: OperatorClient, limit: number) => {
    const seen: Event[] = [];
    for (let next: string | null = from; ;) {
      const wasOver = writing === 0;
      const page: Events = await read(client, next, limit);
      seen.push(...page.data);
      ({ next } = page);
      if (wasOver && page.data.length === 0) return seen;
    }
  };
  const writes = Array.from({ length: 18 }, (_, turn) =>
    write(turn % 2 === 0 ? operator : second, turn),
  );
  const followers = [follow(operator, 1), follow(second, 7), follow(second, 100)];
  await Promise.all(writes);
  const all = await Promise.all(followers);
  const [reference = []] = all;
  expect(reference).toHaveLength(18 * 6);
  for (const seen of all) {
    expect(seen.map(({ id }) => id)).toEqual(reference.map(({ id }) => id));
    for (const id of ids) {
      const own = seen.filter((event) => event.account_id === id);
      for (const [index, { type, key }] of own.entries()) {
        if (type !== 'key.revoked') continue;
        const before = own.slice(0, index).filter((each) => each.key?.id === key?.id);
        expect(before.map((each) => each.type)).toEqual(['key.created']);
      }
      const numbers = own.flatMap(({ ledger_entry: entry }) => (entry ? [entry.number] : []));
      expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => index + 1));
      // The refund and the end are one transaction.
      const afterRefunds = own.filter((_, index) => own[index - 1]?.type === 'credits.refunded');
      expect(new Set(afterRefunds.map(({ type }) => type))).toEqual(new Set(['generation.failed']));
    }
  }
});

describe('a request that waits', () => {
  test('is answered by the next event of any process', async () => {
    const { next } = await readAll(operator, null);
    const id = await world.addCustomer();
    const waiting = read(operator, next, 10, 30);
    await second.post(`/accounts/${id}/credits/grants`, { amount: 5, kind: 'purchased' });
    expect((await waiting).data).toMatchObject([{ type: 'credits.granted', account_id: id }]);
  });

  test('ends empty after its time, and continues from the same position', async () => {
    const { next } = await readAll(operator, null);
    expect(await read(operator, next, 10, 1)).toEqual({
      object: 'list',
      data: [],
      has_more: false,
      next,
    });
  });

  test('does not hold up a stop', async () => {
    const { env } = world.gateway;
    const third = await startTestGateway({
      ...env,
      PORT: String(await freePort()),
      OPERATOR_PORT: String(await freePort()),
    });
    const origin = third.operatorUrl ?? '';
    const client = operatorClient(origin, operator.keyId, operator.operatorKey);
    const { next } = await readAll(client, null);
    const waiting = read(client, next, 10, 30);
    await client.get('/accounts?limit=1');
    const startedAt = performance.now();
    await third.halt();
    expect((await waiting).data).toEqual([]);
    expect(performance.now() - startedAt).toBeLessThan(25_000);
  });
});

test.each([
  ['/events?wait_seconds=31', 'invalid_request', 'wait_seconds'],
  ['/events?wait_seconds=-1', 'invalid_request', 'wait_seconds'],
  [`/events?after=${Buffer.from('ledger 1').toString('base64url')}`, 'cursor_invalid', 'after'],
])('%s is refused: %s', async (path, code, param) => {
  expect(errorOf(await operator.get(path))).toMatchObject({ status: 400, code, param });
});

test('an earlier cursor returns the same events, with the same ids', async () => {
  const id = await world.addCustomer(randomUUID());
  await operator.post(`/accounts/${id}/credits/grants`, { amount: 5, kind: 'purchased' });
  const first = await readAll(operator, null, 50);
  const again = await readAll(second, null, 7);
  expect(again.seen.map((event) => event.id)).toEqual(first.seen.map((event) => event.id));
});
