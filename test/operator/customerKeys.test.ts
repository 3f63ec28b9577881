import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { requests } from '../support/gateway.ts';
import { errorOf, useOperatorWorld } from './support/operatorWorld.ts';

const { world, operator } = useOperatorWorld();

const statusWith = async (apiKey: unknown) =>
  (await requests(world.gateway.origin, String(apiKey)).get('/v1/models')).status;

test('a key works, and is shown only in its first response', async () => {
  const path = `/accounts/${await world.addCustomer()}/keys`;
  const body = {
    name: 'n8n',
    models: ['image-b-2'],
    hosts: ['files.example.com'],
    daily_credits: 9,
  };
  const idempotencyKey = randomUUID();
  const made = await operator.post(path, body, idempotencyKey);
  expect(made.status).toBe(201);
  expect(made.json).toMatchObject({
    object: 'api_key',
    name: 'n8n',
    works: true,
    models: ['image-b-2'],
    hosts: [{ host: 'files.example.com', state: 'approved' }],
    daily_credits: 9,
    revoked_at: null,
  });
  const { api_key: apiKey, ...rest } = made.json;
  expect(await statusWith(apiKey)).toBe(200);
  const again = await operator.post(path, body, idempotencyKey);
  expect(again.json).toEqual(rest);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  const listed = await operator.get(path);
  expect(listed.json).toEqual({ object: 'list', data: [rest], has_more: false, next: null });
  const { operatorRequests } = world.gateway.models;
  const stored = await operatorRequests.find({}).lean();
  expect(JSON.stringify(stored)).not.toContain(`fg_live_${String(apiKey).slice(8, 20)}`);
});

test('a rotated key and its successor both work until the overlap ends', async () => {
  const path = `/accounts/${await world.addCustomer()}/keys`;
  const { json: first } = await operator.post(path, { name: 'app', hosts: ['a.example.com'] });
  const rotate = (body: object) => operator.post(`${path}/${String(first['id'])}/rotate`, body);
  const { status, json: second } = await rotate({ overlap_seconds: 3600 });
  expect(status).toBe(201);
  expect(second).toMatchObject({ name: 'app', hosts: [{ host: 'a.example.com' }], works: true });
  expect(await statusWith(first['api_key'])).toBe(200);
  expect(await statusWith(second['api_key'])).toBe(200);
  const { data } = (await operator.get(path)).json as { data: object[] };
  expect(data).toMatchObject([{ works: true, replaced_by: second['id'] }, { id: second['id'] }]);
});

test('a revoked key ends, and cannot be rotated', async () => {
  const path = `/accounts/${await world.addCustomer()}/keys`;
  const { json } = await operator.post(path, { name: 'app' });
  const key = `${path}/${String(json['id'])}`;
  const revoked = await operator.post(`${key}/revoke`, { reason: 'leaked' });
  expect(revoked.json).toMatchObject({ id: json['id'], works: false });
  expect(await statusWith(json['api_key'])).toBe(401);
  const rotated = errorOf(await operator.post(`${key}/rotate`, {}));
  expect(rotated).toMatchObject({ status: 409, code: 'key_revoked' });
});

test('a host is approved', async () => {
  const path = `/accounts/${await world.addCustomer()}/keys`;
  const { json } = await operator.post(path, { name: 'app' });
  const hosts = `${path}/${String(json['id'])}/hosts`;
  const approved = await operator.post(hosts, { host: '*.files.example.com' });
  expect(approved.json['hosts']).toEqual([{ host: '*.files.example.com', state: 'approved' }]);
  const shared = errorOf(await operator.post(hosts, { host: '*.com' }));
  expect(shared).toMatchObject({ status: 400, code: 'host_invalid', param: 'host' });
});

describe('refuses', () => {
  test.each([
    ['a key without a name', {}, [400, 'invalid_request', 'name']],
    ['a model that there is not', { models: ['alpha-9'] }, [404, 'model_not_found', 'models']],
    ['an address for a host', { hosts: ['127.0.0.1'] }, [400, 'host_invalid', 'hosts[0]']],
    ['a limit of 0', { daily_credits: 0 }, [400, 'invalid_request', 'daily_credits']],
  ])('%s', async (what, body, [status, code, param]) => {
    const path = `/accounts/${await world.addCustomer()}/keys`;
    const name = what === 'a key without a name' ? {} : { name: 'a' };
    const refused = errorOf(await operator.post(path, { ...name, ...body }));
    expect(refused).toMatchObject({ status, code, param });
    expect((await operator.get(path)).json['data']).toEqual([]);
  });

  test('keys of another account', async () => {
    const [one, other] = [await world.addCustomer(), await world.addCustomer()];
    const { json } = await operator.post(`/accounts/${one}/keys`, { name: 'app' });
    for (const action of ['rotate', 'revoke']) {
      const path = `/accounts/${other}/keys/${String(json['id'])}/${action}`;
      expect(errorOf(await operator.post(path, {}))).toMatchObject({
        status: 404,
        code: 'key_not_found',
      });
    }
  });
});
