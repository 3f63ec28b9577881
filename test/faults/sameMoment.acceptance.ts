import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { range } from '../support/workWorld.ts';
import { type Answered, createOnce } from './createOnce.ts';
import type { FaultAccount, FaultWorld } from './faultWorld.ts';
import { clientCredits } from './patientClient.ts';
import { useFaultWorld } from './useFaultWorld.ts';

const opened = useFaultWorld();
let world: FaultWorld;
let origins: string[];
beforeAll(async () => {
  world = opened();
  const apis = await Promise.all([world.start({ ROLE: 'api' }), world.start({ ROLE: 'api' })]);
  origins = apis.map(({ origin }) => origin);
}, 120_000);

/** Repeats until it is decided: a 503 contains the time to wait. */
async function decided(origin: string, account: FaultAccount, key?: string): Promise<Answered> {
  for (;;) {
    const response = await createOnce(origin, account, key);
    if (response.status !== 503) return response;
    expect(response.retryAfter).not.toBeNull();
    await pause(100);
  }
}

describe.each([1, 2])('requests of one moment, to %i api processes', (processes) => {
  const asked = (number: number) => origins[number % processes] ?? '';
  const atOnce = (account: FaultAccount, count: number, keyOf?: (number: number) => string) =>
    Promise.all(range(count).map((number) => decided(asked(number), account, keyOf?.(number))));
  const count = (responses: readonly Answered[], wanted: number) =>
    responses.filter(({ status }) => status === wanted).length;
  const stored = async ({ accountId }: FaultAccount) =>
    world.mongo.database.accounts.find(accountId);

  test('with one key make one generation, and get the same bytes', async () => {
    const account = await world.addAccount(100 * clientCredits);
    const [keys, times] = [5, 8];
    const responses = await atOnce(account, keys * times, (number) => `key-${number % keys}`);
    expect(count(responses, 202)).toBe(keys * times);
    expect(new Set(responses.map(({ text }) => text)).size).toBe(keys);
    expect(await stored(account)).toMatchObject({
      inFlightCredits: keys * clientCredits,
      running: keys,
    });
  }, 240_000);

  test('spend the last credits once', async () => {
    const account = await world.addAccount(3 * clientCredits + 1);
    const responses = await atOnce(account, 24);
    expect([count(responses, 202), count(responses, 402)]).toEqual([3, 21]);
    expect(await stored(account)).toMatchObject({ running: 3, lots: [{ remaining: 1 }] });
  }, 240_000);

  test('take the last slots once', async () => {
    const account = await world.addAccount(100 * clientCredits, { running: 2, waiting: 2 });
    const responses = await atOnce(account, 24);
    expect([count(responses, 202), count(responses, 429)]).toEqual([4, 20]);
    expect(await stored(account)).toMatchObject({ running: 2, waiting: 2 });
    expect(await verifyLedger({ ledgerAudit: world.ledgerAudit })).toMatchObject({ problems: [] });
  }, 240_000);
});
