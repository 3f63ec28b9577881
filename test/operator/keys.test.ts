import { describe, expect, test } from '@jest/globals';
import { hourMs, minuteMs, operatorScopeNames } from '@framegate/contract';
import { type OperatorOperation, operatorOperations } from '@framegate/contract/operator';
import { createOperatorKeyStore } from '../../gateway/src/adapters/mongo/staff/operatorStores.ts';
import { endOperatorKey } from '../../gateway/src/application/operator/operatorKeys.ts';
import { errorOf, operatorClient, useOperatorWorld } from './support/operatorWorld.ts';

const { world } = useOperatorWorld({ TRUST_PROXY: '1' });

const refused = { status: 401, code: 'invalid_api_key' };

describe('keys of each API', () => {
  test('an operator key is unknown on the public listener', async () => {
    for (const path of ['/v1/models', '/v1/credits/balance', '/v1/generations/gen_1']) {
      const response = await fetch(world.gateway.origin + path, {
        headers: { authorization: `Bearer ${world.operator.operatorKey}` },
      });
      expect(response.status).toBe(401);
    }
  });

  test('a live key is unknown on the listener of the operator API', async () => {
    const { apiKey } = await world.gateway.addAccount();
    const response = await operatorClient(world.origin, '', apiKey).get('/accounts');
    expect(errorOf(response)).toMatchObject(refused);
    expect(errorOf(response).message).toContain('operator key');
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('neither listener has the paths of the other', async () => {
    const account = await world.gateway.addAccount();
    expect((await account.get('/operator/v1/accounts')).status).toBe(404);
    const response = await fetch(`${world.origin}/v1/models`, {
      headers: { authorization: `Bearer ${account.apiKey}` },
    });
    expect(response.status).toBe(404);
  });
});

describe('a key', () => {
  test.each(operatorScopeNames)(
    'with every scope but %s is refused for the missing one',
    async (scope) => {
      const key = await world.addKey({
        scopes: operatorScopeNames.filter((each) => each !== scope),
      });
      const all: OperatorOperation[] = Object.values(operatorOperations);
      for (const { method, path } of all.filter((each) => each.scope === scope)) {
        const response = await key.call(method, path.replaceAll(/\{\w+\}/g, 'acct_1'));
        expect(errorOf(response)).toMatchObject({ status: 403, code: 'insufficient_scope' });
        expect(errorOf(response).message).toContain(scope);
      }
    },
  );

  test('that is revoked, expired or unknown is refused alike', async () => {
    const { clock, models } = world.gateway;
    const operatorKeys = createOperatorKeyStore(models);
    const revoked = await world.addKey();
    expect((await revoked.get('/accounts')).status).toBe(200);
    await endOperatorKey({ operatorKeys, clock }, revoked.keyId);
    const expired = await world.addKey({ expiresAt: clock.now() + minuteMs });
    await models.operatorKeys.updateOne(
      { _id: expired.keyId },
      { $set: { expiresAt: new Date(clock.now()) } },
    );
    const unknown = operatorClient(world.origin, '', `${revoked.operatorKey.slice(0, -1)}!`);
    const texts = [];
    for (const key of [revoked, expired, unknown]) {
      const response = await key.get('/accounts');
      expect(errorOf(response)).toMatchObject(refused);
      texts.push(errorOf(response).message);
    }
    expect(new Set(texts).size).toBe(1);
  });

  test('that is replaced works until the overlap ends', async () => {
    const { clock, models } = world.gateway;
    const operatorKeys = createOperatorKeyStore(models);
    const key = await world.addKey();
    await endOperatorKey({ operatorKeys, clock }, key.keyId, hourMs);
    expect((await key.get('/accounts')).status).toBe(200);
    const { revokedAt } = await endOperatorKey({ operatorKeys, clock }, key.keyId);
    // Another overlap does not bring it back.
    const again = await endOperatorKey({ operatorKeys, clock }, key.keyId, hourMs);
    expect(again.revokedAt).toBe(revokedAt);
    expect((await key.get('/accounts')).status).toBe(401);
  });

  test('bound to addresses works from these, whatever a header claims', async () => {
    const near = await world.addKey({ addresses: ['127.0.0.0/8', '::1'] });
    expect((await near.get('/accounts')).status).toBe(200);
    const far = await world.addKey({ addresses: ['192.0.2.0/24'] });
    const response = await fetch(`${world.origin}/operator/v1/accounts`, {
      headers: {
        authorization: `Bearer ${far.operatorKey}`,
        'x-forwarded-for': '192.0.2.7',
      },
    });
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect([response.status, error.code]).toEqual([403, 'address_not_allowed']);
    expect(error.message).toContain('127.0.0.1');
  });

  test.each([
    [{ scopes: [] }, 'scope_missing'],
    [{ scopes: ['accounts:all'] }, 'scope_invalid'],
    [{ name: ' ' }, 'key_name_missing'],
    [{ addresses: ['0.0.0.0/0'] }, 'address_range_invalid'],
    [{ addresses: ['example.com'] }, 'address_range_invalid'],
    [{ expiresAt: 1 }, 'expiry_past'],
  ])('cannot be made with %j', async (command, code) => {
    await expect(world.addKey(command)).rejects.toMatchObject({ code });
  });
});

test('its document needs no key and describes every route', async () => {
  const response = await fetch(`${world.origin}/operator/v1/openapi.json`);
  expect(response.status).toBe(200);
  const { paths } = (await response.json()) as { paths: Record<string, object> };
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const all: OperatorOperation[] = Object.values(operatorOperations);
  expect(described.toSorted()).toEqual(all.map((each) => `${each.method} ${each.path}`).toSorted());
});

test('other methods and paths are refused in the form of the API', async () => {
  const wrongMethod = await world.operator.call('PUT', '/accounts', {});
  expect(errorOf(wrongMethod)).toMatchObject({ status: 405, code: 'method_not_allowed' });
  expect(wrongMethod.headers.get('allow')).toBe('GET, HEAD, POST');
  const wrongPath = errorOf(await world.operator.get('/nothing'));
  expect(wrongPath).toMatchObject({ status: 404, code: 'not_found' });
  expect(wrongPath.message).toContain('/operator/v1');
});
