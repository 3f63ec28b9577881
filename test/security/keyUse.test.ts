import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { defaultTimings } from '../../gateway/src/application/generations/timings.ts';
import { revokeKey } from '../../gateway/src/application/keys/keys.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import { type Gateway, startGateway } from '../../gateway/src/gateway.ts';
import { freePort } from '../support/freePort.ts';
import { requests, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { runAdminHere } from '../support/runAdminHere.ts';
import { until } from '../support/until.ts';

/* The attacks: a stolen key keeps working somewhere after its revocation; its use goes unnoticed. */

let gateway: TestGateway;
let second: Gateway;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' }, undefined, undefined, defaultTimings);
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const settings = loadConfig({ ...gateway.env, PORT: String(await freePort()) });
  second = await startGateway(settings, { log });
});
afterAll(async () => {
  await second.stop();
  await gateway.stop();
});

test('the last use is known to a minute, without a write for each request', async () => {
  const { collections, clock } = gateway;
  const account = await gateway.addAccount();
  /** Writes to the key's own collections; writes to others are unrelated work of the processes. */
  const writes = async () => {
    let sum = 0;
    for (const collection of [collections.keyUses, collections.accounts]) {
      const [stats] = await collection.aggregate([{ $collStats: { latencyStats: {} } }]).toArray();
      const { latencyStats } = stats as unknown as { latencyStats: { writes: { ops: number } } };
      sum += latencyStats.writes.ops;
    }
    return sum;
  };
  expect((await account.get('/v1/models')).status).toBe(200);
  await until(async () => (await collections.keyUses.findOne({ _id: account.keyId })) !== null);
  const used = await collections.keyUses.findOne({ _id: account.keyId });
  expect(Math.abs(Number(used?.['usedAt']) - clock.now())).toBeLessThan(minuteMs);
  const before = await writes();
  for (let count = 0; count < 100; count += 1) await account.get('/v1/models');
  expect((await writes()) - before).toBeLessThan(10);
});

test('a revoked key is refused in every process within five seconds', async () => {
  const { database, clock } = gateway;
  const account = await gateway.addAccount();
  const other = requests(second.url ?? '', account.apiKey);
  expect([
    (await account.get('/v1/models')).status,
    (await other.get('/v1/models')).status,
  ]).toEqual([200, 200]);
  const revokedAt = await revokeKey({ database, clock }, account.keyId);
  let lastTakenAt = 0;
  for (const { get } of [account, other]) {
    await until(async () => {
      const askedAt = clock.now();
      const { status } = await get('/v1/models');
      if (status === 200) lastTakenAt = askedAt;
      return status === 401;
    });
  }
  // The two clocks may differ slightly.
  expect(lastTakenAt - revokedAt).toBeLessThan(6_000);
});

test('a daily limit is set by the command that makes the key', async () => {
  const { accountId } = await gateway.addAccount();
  const run = (...args: string[]) =>
    runAdminHere(['key', 'create', '--account', accountId, '--name', 'x', ...args], gateway.env);
  const made = await run('--daily-credits', '250');
  expect(made.status).toBe(0);
  const { key_id: keyId } = JSON.parse(made.stdout) as { key_id: string };
  const account = await gateway.database.accounts.find(accountId);
  expect(account?.keys.find(({ id }) => id === keyId)).toMatchObject({ dailyCredits: 250 });
  expect(await run('--daily-credits', '0')).toMatchObject({ status: 2 });
});
