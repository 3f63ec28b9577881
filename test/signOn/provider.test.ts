import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { hourMs } from '@framegate/contract';
import { createDiscovery } from '../../gateway/src/adapters/oidc/discovery.ts';
import { createSignOnProvider } from '../../gateway/src/adapters/oidc/provider.ts';
import { IdentityProviderDownError } from '../../gateway/src/application/ports/signOn.ts';
import { signUpVerified } from '../site/support/signUpVerified.ts';
import { createVisitor } from '../site/support/visitor.ts';
import { freePort } from '../support/freePort.ts';
import { startTestGateway } from '../support/gateway.ts';
import { collectLog } from '../support/mongod.ts';
import { closeServer, listen } from './support/realProvider.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await closeServer(server);
});

/** A provider that accepts every request and never responds. */
async function startSilent(): Promise<string> {
  const server = createServer(() => undefined);
  servers.push(server);
  return listen(server);
}

const settings = (issuer: string) => ({
  issuer,
  clientId: 'framegate',
  clientSecret: 'secret',
  scopes: 'openid',
  groupsClaim: 'groups',
  tenants: [],
  needsGroups: false,
  timeoutSeconds: 0.2,
});
const secrets = { state: 's'.repeat(43), nonce: 'n'.repeat(43), verifier: 'v'.repeat(43) };
const callback = 'https://site.example/sign-in/oidc/callback';

describe('a provider that does not answer', () => {
  test('is given up after its time, then left alone for ten seconds', async () => {
    let nowMs = 1_000_000;
    const { log, lines } = collectLog();
    const provider = createSignOnProvider(settings(await startSilent()), {
      clock: { now: () => nowMs },
      log,
    });
    expect(provider.downSince()).toBeNull();
    await expect(provider.makeAuthorizationUrl(secrets, callback)).rejects.toThrow(
      IdentityProviderDownError,
    );
    expect(provider.downSince()).toBe(1_000_000);
    nowMs += 9_999;
    await expect(provider.makeAuthorizationUrl(secrets, callback)).rejects.toThrow('a moment ago');
    nowMs += 1;
    await expect(provider.makeAuthorizationUrl(secrets, callback)).rejects.toThrow(
      'does not respond',
    );
    expect(provider.downSince()).toBe(1_000_000);
    expect(provider.endSessionUrl(null, callback)).toBeNull();
    expect(lines).toEqual(['sign-in provider does not respond']);
  });

  test('delays neither the start nor passwords, and the page and the readiness say so', async () => {
    const gateway = await startTestGateway({
      ROLE: 'api',
      SIGN_IN: 'both',
      OIDC_NAME: 'Example ID',
      OIDC_ISSUER: `http://127.0.0.1:${await freePort()}`,
      OIDC_CLIENT_ID: 'framegate',
      OIDC_CLIENT_SECRET: 'secret',
    });
    try {
      const visitor = createVisitor(gateway.origin);
      const page = await visitor.get('/sign-in/oidc');
      expect(page.status).toBe(503);
      expect(page.text).toContain('Example ID isn&#39;t responding');
      const inside = await signUpVerified(visitor, gateway.dataDir, 'grace@example.com');
      expect(inside.path).toBe('/studio');
      expect((await fetch(`${gateway.origin}/readyz`)).status).toBe(200);
      expect(gateway.errors).toEqual([]);
    } finally {
      await gateway.stop();
    }
  });
});

describe('the metadata of a provider', () => {
  const world = () => {
    const state = { nowMs: 0, asked: 0, isDown: false };
    const discover = async () => {
      state.asked += 1;
      if (state.isDown) throw new Error('down');
      return { response: state.asked } as never;
    };
    const clock = { now: () => state.nowMs };
    const { log } = collectLog();
    return { state, discovery: createDiscovery(discover, { issuer: 'i', clock, log }) };
  };

  test('is requested once for many, and again after an hour', async () => {
    const { state, discovery } = world();
    await Promise.all(Array.from({ length: 50 }, () => discovery.find()));
    expect(state.asked).toBe(1);
    state.nowMs = hourMs - 1;
    await discovery.find();
    expect(state.asked).toBe(1);
    state.nowMs = hourMs;
    expect(await discovery.find()).toEqual({ response: 2 });
  });

  test('serves for a day while the provider is down', async () => {
    const { state, discovery } = world();
    await discovery.find();
    state.isDown = true;
    state.nowMs = 23 * hourMs;
    expect(await discovery.find()).toEqual({ response: 1 });
    expect(discovery.downSince()).toBe(23 * hourMs);
    state.nowMs = 24 * hourMs;
    await expect(discovery.find()).rejects.toThrow(IdentityProviderDownError);
    state.isDown = false;
    state.nowMs += 10_000;
    await discovery.find();
    expect(discovery.downSince()).toBeNull();
  });
});
