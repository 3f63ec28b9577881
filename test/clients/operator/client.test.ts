import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { FramegateOperator, IdempotencyError } from '../../../integrations/operator/src/index.ts';
import { useOperatorWorld } from '../../operator/support/operatorWorld.ts';

/* The client with a gateway. */

const { world, operator: rights } = useOperatorWorld({ LOW_CREDITS: '0' });
const connect = () =>
  new FramegateOperator({
    baseUrl: `${world.origin}/operator/v1`,
    operatorKey: rights.operatorKey,
  });
const someone = () => `${randomUUID()}@customers.example`;

test('an account from its creation to its ledger', async () => {
  const operator = connect();
  const { next: begin } = await operator.listEvents({ limit: 1 });
  let cursor = begin ?? undefined;
  for await (const page of operator.followEvents({ after: cursor }, { stopAtEnd: true })) {
    cursor = page.next;
  }

  const externalId = randomUUID();
  const { id } = await operator.upsertAccount(externalId, { email: someone() });
  expect((await operator.listAccounts({ external_id: externalId })).data).toMatchObject([{ id }]);
  const grant = { amount: 60, kind: 'purchased', reference: randomUUID() } as const;
  const [first, again] = [
    await operator.grantCredits(id, grant),
    await operator.grantCredits(id, grant),
  ];
  expect(again.id).toBe(first.id);
  expect(await operator.getCredits(id)).toMatchObject({ available: 60 });
  const { api_key: apiKey = '' } = await operator.createKey(id, { name: 'Website' });
  expect(apiKey).toMatch(/^fg_live_/);
  const made = await operator.createImage(id, { model: 'image-b-2', prompt: 'A cup.' });
  await operator.failGeneration(made.id, { reason: 'test' });

  const types: string[] = [];
  for await (const { data } of operator.followEvents(
    { after: cursor, limit: 2 },
    { stopAtEnd: true },
  )) {
    types.push(...data.map(({ type }) => type));
  }
  expect(types).toEqual([
    'credits.granted',
    'key.created',
    'credits.charged',
    'credits.refunded',
    'generation.failed',
  ]);
  const numbers: number[] = [];
  for await (const entry of operator.iterateAccountLedger(id, { limit: 2 })) {
    numbers.push(entry.number);
  }
  expect(numbers).toEqual([1, 2, 3]);
  const generations: string[] = [];
  for await (const each of operator.iterateGenerations(id)) generations.push(each.id);
  expect(generations).toEqual([made.id]);
});

test('a write is done once, however often its response is lost', async () => {
  let lost = 2;
  const operator = new FramegateOperator({
    baseUrl: `${world.origin}/operator/v1`,
    operatorKey: rights.operatorKey,
    platform: { sleep: async () => undefined },
    async fetch(url, init) {
      const response = await fetch(url, init);
      if (init?.method !== 'POST' || lost === 0) return response;
      lost -= 1;
      await response.arrayBuffer();
      throw new TypeError('the response was lost');
    },
  });
  const id = await world.addCustomer();
  await operator.grantCredits(id, { amount: 7, kind: 'promotional' });
  expect(lost).toBe(0);
  expect(await operator.getCredits(id)).toMatchObject({ available: 7 });
});

test('a refusal is an error of its class, with the field at fault', async () => {
  const operator = connect();
  const id = await world.addCustomer();
  const options = { idempotencyKey: randomUUID() };
  await operator.grantCredits(id, { amount: 7, kind: 'promotional' }, options);
  await expect(
    operator.grantCredits(id, { amount: 8, kind: 'promotional' }, options),
  ).rejects.toBeInstanceOf(IdempotencyError);
  await expect(operator.grantCredits(id, { amount: 0, kind: 'promotional' })).rejects.toMatchObject(
    {
      code: 'invalid_request',
      param: 'amount',
      status: 400,
    },
  );
});

test('a report is an object, and CSV is text', async () => {
  const operator = connect();
  const query = { from: '2026-01-01', to: '2026-01-02', by: 'day' } as const;
  expect(await operator.getUsage(query)).toMatchObject({ object: 'usage_report', rows: [] });
  expect(await operator.getUsageCsv(query)).toMatch(/^day,/);
});
