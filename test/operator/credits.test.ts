import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { dayMs } from '@framegate/contract';
import type { OperatorLedgerEntry as LedgerEntry } from '@framegate/contract/operator';
import { maxLots } from '../../gateway/src/domain/credits/book.ts';
import { addCredits } from '../../gateway/src/domain/credits/credits.ts';
import type { ApiResponse } from '../support/gateway.ts';
import { errorOf, useOperatorWorld } from './support/operatorWorld.ts';

const { world, operator } = useOperatorWorld();

const ofAccount = async () => {
  const path = `/accounts/${await world.addCustomer()}`;
  return {
    path,
    grant: (body: object, key?: string) => operator.post(`${path}/credits/grants`, body, key),
    adjust: (body: object, key?: string) => operator.post(`${path}/credits/adjustments`, body, key),
    credits: async () => (await operator.get(`${path}/credits`)).json,
  };
};

describe('a grant', () => {
  test('opens a lot and returns its ledger entry', async () => {
    const { grant, credits, path } = await ofAccount();
    const expires_at = '2090-01-01T00:00:00.000Z';
    const { status, json } = await grant({
      amount: 100,
      kind: 'purchased',
      expires_at,
      reason: 'order 7',
      reference: 'payment-7',
    });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      object: 'ledger_entry',
      number: 1,
      kind: 'grant',
      amount: 100,
      reason: 'order 7',
      reference: 'payment-7',
      movements: [{ kind: 'purchased', amount: 100, expires_at }],
    });
    expect(await credits()).toMatchObject({
      available: 100,
      in_flight: 0,
      lots: [{ amount: 100, remaining: 100, expires_at }],
    });
    const ledger = await operator.get(`${path}/ledger`);
    expect(ledger.json['data']).toEqual([json]);
  });

  test('is made once per reference, whatever the Idempotency-Key, even by concurrent requests', async () => {
    const { grant, credits } = await ofAccount();
    const body = { amount: 5, kind: 'purchased', reference: randomUUID() };
    const responses = await Promise.all(Array.from({ length: 6 }, () => grant(body)));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 201));
    expect(new Set(responses.map(({ json }) => json['id'])).size).toBe(1);
    expect(await credits()).toMatchObject({ available: 5 });
    const other = await grant({ ...body, amount: 6 });
    expect(errorOf(other)).toMatchObject({ status: 422, code: 'reference_reused' });
    expect(errorOf(other).message).toContain('a different amount');
  });

  test('is made once per Idempotency-Key', async () => {
    const { grant, credits } = await ofAccount();
    const [key, body] = [randomUUID(), { amount: 5, kind: 'promotional' }];
    const responses = await Promise.all(Array.from({ length: 6 }, () => grant(body, key)));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(
      responses.filter(({ headers }) => headers.get('idempotent-replayed') === 'true'),
    ).toHaveLength(5);
    expect(await credits()).toMatchObject({ available: 5 });
    const other = await grant({ ...body, amount: 6 }, key);
    expect(errorOf(other)).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
  });

  test.each<[string, string, string]>([
    ['0', 'amount', '{"amount":0,"kind":"purchased"}'],
    ['-5', 'amount', '{"amount":-5,"kind":"purchased"}'],
    ['1.5', 'amount', '{"amount":1.5,"kind":"purchased"}'],
    ['a text', 'amount', '{"amount":"5","kind":"purchased"}'],
    ['2^53', 'amount', '{"amount":9007199254740992,"kind":"purchased"}'],
    ['above 2^53', 'amount', '{"amount":9007199254740993,"kind":"purchased"}'],
    ['1e400', 'amount', '{"amount":1e400,"kind":"purchased"}'],
    ['above the largest grant', 'amount', '{"amount":1000000000001,"kind":"purchased"}'],
    ['a kind that there is not', 'kind', '{"amount":5,"kind":"gift"}'],
    [
      'a day that there is not',
      'expires_at',
      '{"amount":5,"kind":"purchased","expires_at":"2090-13-01T00:00:00Z"}',
    ],
  ])('of %s is refused', async (_, param, body) => {
    const { path, credits } = await ofAccount();
    const refused = errorOf(await operator.post(`${path}/credits/grants`, body));
    expect(refused).toMatchObject({ status: 400, code: 'invalid_request', param });
    expect(await credits()).toMatchObject({ available: 0, lots: [] });
  });

  test('that has already expired, or has no account, is refused', async () => {
    const { grant } = await ofAccount();
    const past = { amount: 5, kind: 'purchased', expires_at: '2020-01-01T00:00:00Z' };
    expect(errorOf(await grant(past))).toMatchObject({ status: 400, code: 'expiry_past' });
    const nobody = await operator.post('/accounts/acct_nobody/credits/grants', {
      amount: 5,
      kind: 'purchased',
    });
    expect(errorOf(nobody)).toMatchObject({ status: 404, code: 'account_not_found' });
  });
});

describe('many grants', () => {
  test('of one kind and expiry are one lot, with an entry for each', async () => {
    const { grant, credits, path } = await ofAccount();
    const body = { amount: 2, kind: 'promotional', expires_at: '2090-01-01T00:00:00.000Z' };
    for (let made = 0; made < 5; made += 1) await grant(body);
    expect(await credits()).toMatchObject({ available: 10, lots: [{ amount: 10, remaining: 10 }] });
    const ledger = (await operator.get(`${path}/ledger`)).json['data'] as ApiResponse['json'][];
    const lotIds = ledger.flatMap(({ movements }) =>
      (movements as { lot_id: string }[]).map(({ lot_id }) => lot_id),
    );
    expect([lotIds.length, new Set(lotIds).size]).toEqual([5, 1]);
  });

  test('form a chain of entries, with which a follower verifies its copy', async () => {
    const { grant, adjust, path } = await ofAccount();
    await grant({ amount: 5, kind: 'purchased', expires_at: '2090-01-01T00:00:00Z' });
    await grant({ amount: 2, kind: 'purchased', reference: randomUUID(), reason: 'größer' });
    await adjust({ amount: -6, reason: 'dispute' });
    const entries = (await operator.get(`${path}/ledger`)).json['data'] as LedgerEntry[];
    let previous: string | null = null;
    for (const { hash, movements, ...entry } of entries) {
      const values: unknown[] = [
        ...[previous, entry.account_id, entry.number, entry.kind, entry.amount],
        movements.map((each) => [each.lot_id, each.kind, each.amount, each.expires_at]),
        ...[entry.generation_id, entry.reason, entry.reference],
        ...[entry.request_id, entry.created_at],
      ];
      previous = createHash('sha256').update(JSON.stringify(values)).digest('hex');
      expect(hash).toBe(previous);
    }
    expect(entries).toHaveLength(3);
  });

  test('open at most 1,000 lots: the next lot is refused, but an addition to a lot is not', async () => {
    const { grant, adjust, credits, path } = await ofAccount();
    const day = (number: number) => Date.UTC(2090, 0, 1) + number * dayMs;
    const accountId = path.split('/').at(-1) ?? '';
    await world.gateway.database.changeAccount(accountId, (account) => {
      const booked = Array.from({ length: maxLots - 1 }, (_, number) => number).reduce(
        (lots, number) =>
          addCredits(lots, {
            id: `lot_${number}`,
            kind: 'promotional',
            amount: 1,
            expiresAt: day(number),
            createdAt: 0,
          }).lots,
        account.lots,
      );
      return { after: { ...account, lots: booked }, result: undefined };
    });
    const grantOf = (number: number) => ({
      amount: 1,
      kind: 'promotional',
      expires_at: new Date(day(number)).toISOString(),
    });
    expect((await grant(grantOf(maxLots))).status).toBe(201);
    expect(errorOf(await grant(grantOf(maxLots + 1)))).toMatchObject({
      status: 409,
      code: 'lots_full',
    });
    const sorry = { amount: 1, reason: 'sorry' };
    expect(errorOf(await adjust(sorry))).toMatchObject({ status: 409, code: 'lots_full' });
    expect((await grant(grantOf(maxLots))).status).toBe(201);
    expect((await adjust({ amount: -1, reason: 'dispute' })).status).toBe(201);
    expect((await adjust(sorry)).status).toBe(201);
    expect(await credits()).toMatchObject({ available: maxLots + 1 });
  });
});

describe('an adjustment', () => {
  test('gives and takes, never below zero', async () => {
    const { adjust, credits } = await ofAccount();
    const given = await adjust({ amount: 10, reason: 'sorry', reference: randomUUID() });
    expect(given.json).toMatchObject({ kind: 'adjustment', amount: 10, reason: 'sorry' });
    const taken = await adjust({ amount: -4, reason: 'dispute', reference: randomUUID() });
    expect(taken.json).toMatchObject({ amount: -4, number: 2 });
    const tooMany = await adjust({ amount: -7, reason: 'dispute' });
    expect(errorOf(tooMany)).toMatchObject({ status: 402, code: 'insufficient_credits' });
    expect(await credits()).toMatchObject({ available: 6 });
  });

  test('of a generation is made once', async () => {
    const account = await world.gateway.addAccount();
    const body = { model: 'alpha-2.0-mini', mode: 'text-to-video', prompt: 'A boat.' };
    const generation = (await account.post('/v1/videos', body)).json;
    const path = `/accounts/${account.accountId}/credits/adjustments`;
    const adjustment = { amount: 3, reason: 'late', generation_id: generation['id'] };
    expect((await operator.post(path, adjustment)).status).toBe(201);
    const again = errorOf(await operator.post(path, adjustment));
    expect(again).toMatchObject({ status: 422, code: 'reference_reused', param: 'generation_id' });
    const { path: other } = await ofAccount();
    const foreign = errorOf(await operator.post(`${other}/credits/adjustments`, adjustment));
    expect(foreign).toMatchObject({ status: 400, param: 'generation_id' });
  });

  test.each([
    [{ amount: 0, reason: 'x' }, 'amount'],
    [{ amount: 9_007_199_254_740_992, reason: 'x' }, 'amount'],
    [{ amount: -9_007_199_254_740_992, reason: 'x' }, 'amount'],
    [{ amount: 1 }, 'reason'],
    [{ amount: 1, reason: '' }, 'reason'],
  ])('%j is refused', async (body, param) => {
    const { adjust } = await ofAccount();
    const refused = errorOf(await adjust(body));
    expect(refused).toMatchObject({ status: 400, code: 'invalid_request', param });
  });
});

test('every completed write has an audit entry with its reason, and no refused one has', async () => {
  const { adjust, path } = await ofAccount();
  const done = await adjust({ amount: 10, reason: 'a good reason' });
  const refused = await adjust({ amount: -100, reason: 'a bad reason' });
  const { staffAudit } = world.gateway.models;
  const find = (id: string | null) => staffAudit.find({ terms: String(id) }).lean();
  expect(await find(done.headers.get('x-request-id'))).toMatchObject([
    {
      action: 'api adjustCredits',
      reason: 'a good reason',
      targets: [path.split('/').at(-1), done.json['id']],
    },
  ]);
  expect(await find(refused.headers.get('x-request-id'))).toEqual([]);
});

test('a cursor of another list is refused', async () => {
  const [one, other] = [await ofAccount(), await ofAccount()];
  await one.grant({ amount: 5, kind: 'purchased' });
  const ofOne = String((await operator.get(`${one.path}/ledger`)).json['next']);
  const ofAll = String((await operator.get('/ledger')).json['next']);
  const wrong = [
    `${other.path}/ledger?after=${ofOne}`,
    `${one.path}/ledger?after=${ofAll}`,
    `/ledger?after=${ofOne}`,
    `/accounts?after=${ofAll}`,
    '/ledger?after=42',
    `/ledger?after=${ofAll}A`,
    `/ledger?after=${Buffer.from('ledger -1').toString('base64url')}`,
  ];
  for (const path of wrong) {
    const refused = errorOf(await operator.get(path));
    expect(refused).toMatchObject({ status: 400, code: 'cursor_invalid', param: 'after' });
  }
  const right = await operator.get(`${one.path}/ledger?after=${ofOne}`);
  expect(right.json).toEqual({ object: 'list', data: [], has_more: false, next: ofOne });
});
