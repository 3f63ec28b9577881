import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { maxGuesses } from '../../gateway/src/application/authenticate.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import { formatApiKey } from '../../gateway/src/domain/accounts/apiKey.ts';
import { startGateway } from '../../gateway/src/gateway.ts';
import { freePort } from '../support/freePort.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';

/*
 * The attack: someone tries keys, from one address or with forged X-Forwarded-For headers. Well-formed wrong keys are
 * counted by address, across restarts and all processes.
 */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api', TRUST_PROXY: '1' });
});
afterAll(() => gateway.stop());

const wrongKey = () => formatApiKey(randomBytes(64));
const tryKey = async (apiKey: string, from: string, origin = gateway.origin) => {
  const headers = { authorization: `Bearer ${apiKey}`, 'x-forwarded-for': from };
  const response = await fetch(`${origin}/v1/models`, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
/** Tries keys until the address has to wait. */
const exhaust = async (from: string) => {
  for (let count = 0; count < maxGuesses; count += 1) {
    expect((await tryKey(wrongKey(), from)).status).toBe(401);
  }
  await until(async () => (await tryKey(wrongKey(), from)).status === 429);
};

describe('wrong keys', () => {
  test('from one address must wait beyond a number', async () => {
    await exhaust('192.0.2.1');
    const { status, headers, text } = await tryKey(wrongKey(), '192.0.2.1');
    expect([status, JSON.parse(text)]).toMatchObject([429, { error: { code: 'rate_limited' } }]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('ratelimit-policy')).toBe(`"unknown-keys";q=${maxGuesses};w=600`);
    // Others are admitted, as is anyone who was admitted before.
    const account = await gateway.addAccount();
    expect((await tryKey(account.apiKey, '192.0.2.2')).status).toBe(200);
    expect((await tryKey(account.apiKey, '192.0.2.1')).status).toBe(200);
    // A valid key new to this process is also admitted, because many customers may share one address.
    const newcomer = await gateway.addAccount();
    expect((await tryKey(newcomer.apiKey, '192.0.2.1')).status).toBe(200);
  });

  test('that are repeated are not guesses, so that a forgotten client locks no one out', async () => {
    const apiKey = wrongKey();
    for (let count = 0; count < 2 * maxGuesses; count += 1) {
      expect((await tryKey(apiKey, '192.0.2.3')).status).toBe(401);
    }
  });

  test('count per /64 of IPv6 addresses', async () => {
    await exhaust('2001:db8::1');
    expect((await tryKey(wrongKey(), '2001:db8::ffff:2')).status).toBe(429);
    expect((await tryKey(wrongKey(), '2001:db8:0:1::1')).status).toBe(401);
  });

  test('count by the header of the trusted proxy, whatever precedes it', async () => {
    await exhaust('192.0.2.9');
    expect((await tryKey(wrongKey(), '203.0.113.5, 192.0.2.9')).status).toBe(429);
    expect((await tryKey(wrongKey(), '192.0.2.9, 203.0.113.5')).status).toBe(401);
  });

  test('stay counted after a restart', async () => {
    await exhaust('192.0.2.4');
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const settings = loadConfig({ ...gateway.env, PORT: String(await freePort()) });
    const restarted = await startGateway(settings, { log });
    try {
      const origin = restarted.url ?? '';
      expect((await tryKey(wrongKey(), '192.0.2.4', origin)).status).toBe(401);
      await until(async () => (await tryKey(wrongKey(), '192.0.2.4', origin)).status === 429);
    } finally {
      await restarted.stop();
    }
  });
});

test('with a wrong checksum cost no lookup and are not counted', async () => {
  for (let count = 0; count < 2 * maxGuesses; count += 1) {
    const key = `fg_live_${String(count).padStart(38, '0')}`;
    expect((await tryKey(key, '192.0.2.5')).status).toBe(401);
  }
  expect((await tryKey(wrongKey(), '192.0.2.5')).status).toBe(401);
});
