import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Refusal } from '../../gateway/src/domain/refusal.ts';
import { holdBackMs, maxRefusedPerSecond } from '../../gateway/src/http/middleware/everyRequest.ts';
import { caller, goodKey, startTestServer, type TestServer } from '../http/startTestServer.ts';

/*
 * The attack: one address sends refused requests on many connections, as fast as it is answered, and ignores
 * Retry-After. The clock of this server stands still.
 */

const busyKey = 'Bearer fg_live_busy';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    app: { trustedProxies: { hops: 1 } },
    useCases: {
      authenticate: async (authorization) => {
        if (authorization === goodKey) return caller;
        throw new Refusal(authorization === busyKey ? 'service_unavailable' : 'invalid_api_key');
      },
    },
  });
});
afterAll(() => server.stop());

/** @returns The status, and how long the response took, in ms. */
async function ask(from: string, authorization: string): Promise<[number, number]> {
  const headers = { authorization, 'x-forwarded-for': from };
  const sentAt = performance.now();
  const response = await fetch(`${server.url}/v1/credits/balance`, { headers });
  await response.text();
  return [response.status, performance.now() - sentAt];
}

test.each([
  ['a wrong key', 'Bearer x', 401, '192.0.2.1'],
  ['a full queue', busyKey, 503, '192.0.2.3'],
])('%s: responses to a flood of refused requests are held back', async (_, key, refused, from) => {
  for (let count = 0; count < maxRefusedPerSecond; count += 1) await ask(from, key);
  const flood = await Promise.all(Array.from({ length: 20 }, () => ask(from, key)));
  for (const [status, tookMs] of flood) {
    expect(status).toBe(refused);
    // Timers may be 1 ms early.
    expect(tookMs).toBeGreaterThan(holdBackMs - 2);
  }

  const held = ask(from, key);
  const others = Promise.all([ask(`${from}0`, 'Bearer x'), ask(from, goodKey)]);
  // Another address and a valid key are answered while the flood waits.
  const first = await Promise.race([held.then(() => 'the flood'), others.then(() => 'the others')]);
  expect(first).toBe('the others');
  expect((await others).map(([status]) => status)).toEqual([401, 200]);
  await held;
});
