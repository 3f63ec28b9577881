import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { maxGuesses } from '../../gateway/src/application/authenticate.ts';
import { formatApiKey } from '../../gateway/src/domain/accounts/apiKey.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';

/*
 * The attack: someone reaches the gateway past its proxy and writes X-Forwarded-* headers, to try keys under ever new
 * addresses, to block the addresses of others, or to appear to come from a page of the site.
 */

const proxy = '127.0.0.1';
const stranger = '127.0.0.2';

let gateway: TestGateway;
beforeAll(async () => {
  const publicAddresses = {
    BASE_URL: 'https://gateway.example/v1',
    MEDIA_URL: 'https://media.gateway.example',
  };
  gateway = await startTestGateway({
    ROLE: 'api',
    TRUST_PROXY: `${proxy}, 10.0.0.0/8`,
    ...publicAddresses,
  });
});
afterAll(() => gateway.stop());

/** Sends a request over a connection from this address. */
const send = (localAddress: string, path: string, headers: Record<string, string>) =>
  new Promise<number>((resolve, reject) => {
    request(gateway.origin + path, { headers, localAddress, agent: false }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    })
      .once('error', reject)
      .end();
  });

const tryKey = (connection: string, forwarded: string) =>
  send(connection, '/v1/models', {
    authorization: `Bearer ${formatApiKey(randomBytes(64))}`,
    'x-forwarded-for': forwarded,
  });

test('headers from a stranger neither hide the stranger nor burden others', async () => {
  const victim = '203.0.113.9';
  for (let count = 0; count < maxGuesses; count += 1) {
    expect(await tryKey(stranger, victim)).toBe(401);
  }
  let forged = 0;
  await until(async () => (await tryKey(stranger, `198.51.100.${(forged += 1)}`)) === 429);
  expect(await tryKey(proxy, victim)).toBe(401);
});

test("the proxy's headers are trusted, whatever precedes them", async () => {
  const caller = '203.0.113.20';
  for (let count = 0; count < maxGuesses; count += 1) {
    expect(await tryKey(proxy, `198.51.100.${count}, ${caller}, 10.0.0.1`)).toBe(401);
  }
  await until(async () => (await tryKey(proxy, `198.51.100.99, ${caller}, 10.0.0.1`)) === 429);
  expect(await tryKey(proxy, '203.0.113.21, 10.0.0.1')).toBe(401);
});

test.each([
  [proxy, 404],
  [stranger, 403],
])(
  'a file requested under the name of the site in X-Forwarded-Host from %s: %i',
  async (from, status) => {
    const path = `/outputs/gen_${'0'.repeat(26)}/0.mp4?expires=1&signature=x`;
    const headers = { host: 'media.gateway.example', 'x-forwarded-host': 'gateway.example' };
    expect(await send(from, path, headers)).toBe(status);
  },
);
