import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { createTestDatabase } from '../support/database.ts';
import { checkWorld, untilAllEnded } from './checkWorld.ts';
import { type CommandFault, faultyUri, openFailPoint } from './failPoint.ts';
import { type FaultAccount, type FaultWorld, openFaultWorld, quickTimings } from './faultWorld.ts';
import { testInWholeRun } from './inWholeRun.ts';
import { clientCredits, createPatiently, type History } from './patientClient.ts';
import type { GatewayProcess } from './startGatewayProcess.ts';
import { isWholeRun, pickFor } from './wholeRun.ts';

const database = createTestDatabase();
let world: FaultWorld;
let gateway: GatewayProcess;
let account: FaultAccount;
let failPoint: Awaited<ReturnType<typeof openFailPoint>>;
let made = 0;

beforeAll(async () => {
  failPoint = await openFailPoint(database.uri);
  world = await openFaultWorld({
    uri: database.uri,
    timings: quickTimings,
    env: { MONGODB_URI: faultyUri(database.uri) },
    testUri: database.uri,
  });
  account = await world.addAccount(1_000_000);
  gateway = await world.start();
});

afterEach(() => failPoint.off());

afterAll(async () => {
  await failPoint.close();
  await world.close();
  await database.drop();
});

/** Problems, with the gateway's log if there are any. */
async function findings(histories: readonly History[]): Promise<string[]> {
  const wrong = await checkWorld(world, gateway.origin, histories);
  return wrong.length === 0 ? [] : [...wrong, gateway.log().slice(-5_000)];
}

/** Clients during faults: one spends its last credit, slot and create request; the others have plenty. */
async function createAmidTrouble(): Promise<History[]> {
  const one = { running: 1, waiting: 0, burst: 1, createsPerMinute: 1 };
  const last = await world.addAccount(clientCredits, one);
  return Promise.all(
    [last, account, account].map((each) => {
      made += 1;
      return createPatiently(() => [gateway.origin], each, `trouble ${made}.`);
    }),
  );
}

const notPrimary = 10107;
const shuttingDown = 91;
const faults: [string, CommandFault][] = [
  ['inserts refused', { failCommands: ['insert'], errorCode: notPrimary }],
  ['commits cut off', { failCommands: ['commitTransaction'], closeConnection: true }],
  ['updates cut off', { failCommands: ['update'], closeConnection: true }],
  [
    'commits done and called failed',
    {
      failCommands: ['commitTransaction'],
      writeConcernError: { code: shuttingDown, errmsg: 'shutting down' },
    },
  ],
  ['inserts cut off', { failCommands: ['insert'], closeConnection: true }],
  ['updates refused', { failCommands: ['update'], errorCode: 11602 }],
  ['commits refused', { failCommands: ['commitTransaction'], errorCode: notPrimary }],
  ['reads cut off', { failCommands: ['find', 'aggregate'], closeConnection: true }],
  ['lease requests cut off', { failCommands: ['findAndModify', 'delete'], closeConnection: true }],
];

test('a process that starts while the primary steps down waits for the next one', async () => {
  await failPoint.set(
    {
      failCommands: ['createIndexes'],
      writeConcernError: { code: 189, errmsg: 'Received stepdown request' },
    },
    2,
  );
  const started = await world.start();
  expect(await fetch(`${started.origin}/readyz`).then(({ status }) => status)).toBe(200);
  await started.stop();
  // All indexes are created by code that waits; Agenda, which would not, creates none for a job log.
  const collections = await world.mongo.db.listCollections().toArray();
  expect(collections.map(({ name }) => name)).not.toContain('agenda_logs');
});

describe('database trouble is answered with 503 or the correct response, and resolved', () => {
  test.each(pickFor(faults, 3))('with %s', async (_name, fault) => {
    await failPoint.set(fault, 6);
    const histories = await createAmidTrouble();
    await failPoint.off();
    await untilAllEnded(world, minuteMs);
    expect(await findings(histories)).toEqual([]);
  });

  test('an order written although the database reports a failure is submitted once and completed', async () => {
    const fault = {
      failCommands: ['update'],
      namespace: `${database.name}.generations`,
      writeConcernError: { code: shuttingDown, errmsg: 'shutting down' },
    };
    // The driver repeats a failed update once.
    await failPoint.set(fault, 2);
    const history = await createPatiently(() => [gateway.origin], account, 'an order');
    await untilAllEnded(world, minuteMs);
    expect(await findings([history])).toEqual([]);
    const { generations } = world.mongo.collections;
    const ended = await generations.findOne({ _id: history.generationId });
    expect(ended).toMatchObject({ status: 'completed', attempts: [{ number: 1 }] });
    // Each write exists once; a lease that expired in the meantime is renewed before the provider is called.
    const events = (ended?.['timeline'] as { at: Date; what: string }[]).map(
      ({ at, what }) => `${at.toISOString()} ${what}`,
    );
    expect(new Set(events).size).toBe(events.length);
  });

  test('a create request whose commit stays unknown longer than it may take is found by the next attempt', async () => {
    const code = isWholeRun() ? 20 : 1;
    const fault = {
      failCommands: ['commitTransaction'],
      writeConcernError: { code: shuttingDown, errmsg: 'shutting down' },
    };
    await failPoint.set(fault, 'always');
    const asked = createAmidTrouble();
    await new Promise((resolve) => setTimeout(resolve, code * 1_000));
    await failPoint.off();
    await untilAllEnded(world, minuteMs);
    expect(await findings(await asked)).toEqual([]);
  });

  // The pool has 50 connections and a wait of 10 s: only in the whole run.
  testInWholeRun(
    'a connection pool that runs dry: 503 or the right response, never another',
    async () => {
      // Each account's key is a read of its own.
      const accounts = await Promise.all(Array.from({ length: 80 }, () => world.addAccount(1)));
      const fault = { failCommands: ['find'], blockConnection: true, blockTimeMS: 12_000 };
      await failPoint.set(fault, 200);
      const status = async (authorization: string) => {
        const response = await fetch(`${gateway.origin}/v1/credits/balance`, {
          headers: { authorization },
        });
        await response.arrayBuffer();
        return [response.status, response.headers.has('retry-after')].join(' ');
      };
      const asked = createAmidTrouble();
      const responses = await Promise.all(accounts.map(({ apiKey }) => status(`Bearer ${apiKey}`)));
      await failPoint.off();
      expect(new Set(responses)).toEqual(new Set(['200 false', '503 true']));
      await untilAllEnded(world, 120_000);
      expect(await findings(await asked)).toEqual([]);
    },
  );
});
