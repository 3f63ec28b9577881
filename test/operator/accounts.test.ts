import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { freePort } from '../support/freePort.ts';
import { startTestGateway } from '../support/gateway.ts';
import { errorOf, operatorClient, useOperatorWorld } from './support/operatorWorld.ts';

const { world, operator } = useOperatorWorld();

const someone = () => `${randomUUID()}@customers.example`;
const audited = (requestId: unknown) =>
  world.gateway.models.staffAudit.find({ terms: String(requestId) }).lean();

describe('creating an account', () => {
  test('returns it, and leaves one audit entry that names the key', async () => {
    const email = someone();
    const body = { external_id: 'shop-1', email, email_verified: true };
    const created = await operator.post('/accounts', body);
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({
      object: 'account',
      external_id: 'shop-1',
      email,
      email_verified: true,
      status: 'active',
      limits: { running: 10 },
    });
    const entries = await audited(created.headers.get('x-request-id'));
    expect(entries).toMatchObject([
      {
        accountId: operator.keyId,
        action: 'api createAccount',
        targets: [created.json['id']],
        outcome: 'done',
        role: 'operator',
      },
    ]);
    const read = await operator.get(`/accounts/${String(created.json['id'])}`);
    expect(read.json).toEqual(created.json);
  });

  test('makes one account per Idempotency-Key, and repeats the response', async () => {
    const [key, body] = [randomUUID(), { email: someone() }];
    const first = await operator.post('/accounts', body, key);
    const again = await operator.post('/accounts', body, key);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await operator.post('/accounts', { email: someone() }, key);
    expect(errorOf(other)).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
    const sameOnce = await Promise.all(
      Array.from({ length: 8 }, () => operator.post('/accounts', body, key)),
    );
    expect(new Set(sameOnce.map(({ text }) => text))).toEqual(new Set([first.text]));
  });

  test('makes one account for eight concurrent equal requests', async () => {
    const [key, body] = [randomUUID(), { external_id: 'at-once', email: someone() }];
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => operator.post('/accounts', body, key)),
    );
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201));
  });

  test('refuses a taken address and a taken external id, each by its code', async () => {
    const email = someone();
    await operator.post('/accounts', { external_id: 'taken', email });
    const sameEmail = await operator.post('/accounts', { email: email.toUpperCase() });
    expect(errorOf(sameEmail)).toMatchObject({ status: 409, code: 'email_taken' });
    const sameId = await operator.post('/accounts', { external_id: 'taken', email: someone() });
    expect(errorOf(sameId)).toMatchObject({ status: 409, code: 'external_id_taken' });
  });

  test.each<[string, unknown, string]>([
    ['no address', {}, 'email'],
    ['an external id with a blank', { email: 'a@b.example', external_id: 'a b' }, 'external_id'],
    ['a field that there is not', { email: 'a@b.example', role: 'admin' }, 'role'],
    ['no address at all', { email: 'nobody' }, 'email'],
  ])('refuses %s', async (_, body, param) => {
    const refused = errorOf(await operator.post('/accounts', body));
    expect(refused).toMatchObject({ status: 400, code: 'invalid_request', param });
  });

  test('needs an Idempotency-Key', async () => {
    const none = await operator.post('/accounts', { email: someone() }, null);
    expect(errorOf(none)).toMatchObject({ status: 400, code: 'idempotency_key_missing' });
    expect(errorOf(none).message).toContain('every write');
    const long = await operator.post('/accounts', { email: someone() }, 'x'.repeat(256));
    expect(errorOf(long)).toMatchObject({ status: 400, code: 'idempotency_key_invalid' });
  });
});

describe('an upsert by external id', () => {
  const upsert = (id: string, body: object) =>
    operator.call('PUT', `/accounts/by-external-id/${id}`, body);

  test('creates the account, then gives it another address', async () => {
    const first = await upsert('up-1', { email: someone(), email_verified: true });
    const email = someone();
    const second = await upsert('up-1', { email });
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.json).toMatchObject({
      id: first.json['id'],
      external_id: 'up-1',
      email,
      email_verified: false,
    });
  });

  test('refuses the address of another account', async () => {
    const email = someone();
    await upsert('up-2', { email });
    await upsert('up-3', { email: someone() });
    expect(errorOf(await upsert('up-3', { email }))).toMatchObject({
      status: 409,
      code: 'email_taken',
    });
    expect(errorOf(await upsert('up-4', { email }))).toMatchObject({
      status: 409,
      code: 'email_taken',
    });
  });

  test('never changes an account of staff', async () => {
    const { json } = await upsert('up-5', { email: someone() });
    const { accounts } = world.gateway.models;
    const id = String(json['id']);
    await accounts.updateOne({ _id: id }, { $set: { staffRole: 'admin' } });
    const refused = errorOf(await upsert('up-5', { email: someone() }));
    expect(refused).toMatchObject({ status: 409, code: 'external_id_taken' });
    const suspended = errorOf(await operator.post(`/accounts/${id}/suspend`));
    expect(suspended).toMatchObject({ status: 404, code: 'account_not_found' });
  });

  test('from two processes at once makes one account', async () => {
    const { env } = world.gateway;
    const other = await startTestGateway({
      ...env,
      PORT: String(await freePort()),
      OPERATOR_PORT: String(await freePort()),
    });
    try {
      const second = operatorClient(other.operatorUrl ?? '', operator.keyId, operator.operatorKey);
      for (let round = 0; round < 5; round += 1) {
        const [id, email] = [`race-${round}`, someone()];
        const responses = await Promise.all(
          [operator, second, operator, second].map((client) =>
            client.call('PUT', `/accounts/by-external-id/${id}`, { email }),
          ),
        );
        expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
        expect(new Set(responses.map(({ json }) => json['id'])).size).toBe(1);
      }
    } finally {
      // Not `other.stop()`: the database is that of the first.
      await other.halt();
    }
  });
});

describe('finding accounts', () => {
  test('works by external id and by address', async () => {
    const email = someone();
    const { json } = await operator.post('/accounts', { external_id: 'find/me?&', email });
    const byId = await operator.get(`/accounts?external_id=${encodeURIComponent('find/me?&')}`);
    expect(byId.json).toEqual({ object: 'list', data: [json], has_more: false, next: null });
    const byEmail = await operator.get(`/accounts?email=${encodeURIComponent(email)}`);
    expect(byEmail.json['data']).toEqual([json]);
    expect((await operator.get('/accounts?external_id=nobody')).json['data']).toEqual([]);
    const neither = await operator.get(`/accounts?external_id=other&email=${email}`);
    expect(neither.json['data']).toEqual([]);
  });

  test('pages through each customer once, without staff', async () => {
    const ids = [await world.addCustomer(), await world.addCustomer(), await world.addCustomer()];
    const staff = await world.gateway.addAccount();
    await world.gateway.models.accounts.updateOne(
      { _id: staff.accountId },
      { $set: { staffRole: 'support' } },
    );
    const seen: string[] = [];
    let next: string | null = '';
    do {
      const after: string = next === '' ? '' : `&after=${next}`;
      const { json } = await operator.get(`/accounts?limit=2${after}`);
      const { data, next: following } = json as { data: { id: string }[]; next: string | null };
      seen.push(...data.map(({ id }) => id));
      next = following;
    } while (next !== null);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(ids));
    expect(seen).not.toContain(staff.accountId);
    const read = await operator.get(`/accounts/${staff.accountId}`);
    expect(errorOf(read)).toMatchObject({ status: 404, code: 'account_not_found' });
  });

  test.each([
    ['/accounts?limit=0', 'invalid_request', 'limit'],
    ['/accounts?limit=501', 'invalid_request', 'limit'],
    ['/accounts?limit=ten', 'invalid_request', 'limit'],
    ['/accounts?page=2', 'invalid_request', 'page'],
    ['/accounts?limit=1&limit=2', 'invalid_request', 'limit'],
    ['/accounts?after=nonsense', 'cursor_invalid', 'after'],
    ['/accounts/acct_1?limit=1', 'invalid_request', 'query'],
  ])('%s is refused: %s', async (path, code, param) => {
    expect(errorOf(await operator.get(path))).toMatchObject({ status: 400, code, param });
  });
});

test('a suspended account creates nothing until it is resumed', async () => {
  const account = await world.gateway.addAccount();
  const path = `/accounts/${account.accountId}`;
  const suspended = await operator.post(`${path}/suspend`, { reason: 'unpaid' });
  expect(suspended.json).toMatchObject({ status: 'suspended' });
  const [entry] = await audited(suspended.headers.get('x-request-id'));
  expect(entry).toMatchObject({ action: 'api suspendAccount', reason: 'unpaid' });
  const body = { model: 'alpha-2.0-mini', mode: 'text-to-video', prompt: 'A boat.' };
  expect(errorOf(await account.post('/v1/videos', body)).code).toBe('account_suspended');
  await operator.post(`${path}/resume`);
  expect((await account.post('/v1/videos', body)).status).toBe(202);
});

test('limits are set, omitted ones stay, and wrong ones are refused', async () => {
  const path = `/accounts/${await world.addCustomer()}`;
  await operator.post(`${path}/limits`, { running: 3 });
  const { json } = await operator.post(`${path}/limits`, { waiting: 0 });
  expect(json['limits']).toMatchObject({ running: 3, waiting: 0, burst: 10 });
  const refused = errorOf(await operator.post(`${path}/limits`, { running: 0, speed: 1 }));
  expect(refused).toMatchObject({ status: 400, code: 'invalid_request' });
  const missing = await operator.post('/accounts/acct_nobody/limits', { running: 1 });
  expect(errorOf(missing)).toMatchObject({ status: 404, code: 'account_not_found' });
});
