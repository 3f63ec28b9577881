import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sum } from '@framegate/contract';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { cancelGeneration } from '../../gateway/src/application/generations/end/cancelGeneration.ts';
import { runGeneration } from '../../gateway/src/application/generations/run/runGeneration.ts';
import { createModelProvider, type ModelProvider } from '../properties/modelProvider.ts';
import { type ModelProcess, type ModelWorld, openModelWorld } from '../properties/modelWorld.ts';
import { video } from '../support/bodies.ts';
import { takeTestDatabase } from '../support/database.ts';

const database = takeTestDatabase();
const leaseMs = 30_000;
const never = new AbortController().signal;
let world: ModelWorld;
let provider: ModelProvider;
let process: ModelProcess;
let accountId: string;
/** Two have a slot to run; the third waits for one. */
let ids: [string, string, string];

beforeAll(async () => {
  world = await openModelWorld(database.uri);
});
afterAll(async () => {
  await world.mongo.close();
  await database.drop();
});

beforeEach(async () => {
  await world.empty();
  provider = createModelProvider();
  process = world.startProcess(provider);
  const caller = await world.addAccount();
  ({ accountId } = caller);
  await world.grant(accountId, 'purchased', 1_000, Infinity);
  const create = async (key: string) => {
    const body = await process.create(caller, key, video({ prompt: `takes ${key}` }));
    return (JSON.parse(body) as { id: string }).id;
  };
  ids = [await create('a'), await create('b'), await create('c')];
});
afterEach(async () => {
  expect((await verifyLedger(world)).problems).toEqual([]);
});

const stores = () => world.mongo.database;
const account = async () => {
  const found = await stores().accounts.find(accountId);
  if (!found) throw new Error('no account');
  return found;
};
const available = async () => sum((await account()).lots.map((lot) => lot.remaining));

test('a waiting generation is cancelled and refunded, as is one that has a slot', async () => {
  const [first, , third] = ids;
  const cost = (await stores().generations.find(third))?.costCredits ?? Number.NaN;
  const before = await available();
  await cancelGeneration(process.deps, third);
  expect(await stores().generations.find(third)).toMatchObject({
    status: 'failed',
    step: 'ended',
    failure: { code: 'capacity_exceeded', wasCancelled: true },
    refundedCredits: cost,
  });
  expect(await available()).toBe(before + cost);
  await cancelGeneration(process.deps, first);
  expect(await available()).toBe(before + 2 * cost);
  expect(await account()).toMatchObject({ running: 1, waiting: 0, inFlightCredits: cost });
  await runGeneration(process.deps, { generationId: third, accountId }, never);
  expect(provider.accepted.size).toBe(0);
});

test('cancelled twice at once, it is refunded once', async () => {
  const before = await available();
  const other = world.startProcess(provider);
  const both = [process, other].map((each) => cancelGeneration(each.deps, ids[2]));
  const results = await Promise.allSettled(both);
  expect(results.map(({ status }) => status)).toContain('fulfilled');
  const cost = (await stores().generations.find(ids[2]))?.refundedCredits ?? Number.NaN;
  expect(await available()).toBe(before + cost);
  await expect(cancelGeneration(process.deps, ids[2])).rejects.toMatchObject({
    code: 'generation_ended',
  });
});

describe('a start and a cancellation at the same moment have one winner', () => {
  test('a worker that leases it in between keeps it, and its order stands', async () => {
    const [id] = ids;
    let leases = 0;
    const generations = {
      ...stores().generations,
      async find(generationId: string) {
        const found = await stores().generations.find(generationId);
        // The worker acts after the state was read and before the end is written.
        if (leases === 0) {
          leases += (await stores().generations.acquireLease({ id, accountId }, leaseMs)) ? 1 : 0;
        }
        return found;
      },
    };
    const deps = { ...process.deps, database: { ...stores(), generations } };
    await expect(cancelGeneration(deps, id)).rejects.toMatchObject({
      code: 'generation_started',
    });
    expect(leases).toBe(1);
    const held = await stores().generations.find(id);
    expect(held).toMatchObject({ status: 'queued', step: 'ready' });
    await world.pass(leaseMs + 1_000);
    await runGeneration(process.deps, { generationId: id, accountId }, never);
    expect(provider.accepted.get(id)).toBe(1);
    await expect(cancelGeneration(process.deps, id)).rejects.toMatchObject({
      code: 'generation_started',
    });
    expect(await stores().generations.find(id)).toMatchObject({ status: 'processing' });
  });

  test('a worker whose lease has expired orders nothing after it', async () => {
    const [id] = ids;
    const taken: string[] = [];
    const generations = {
      ...stores().generations,
      async acquireLease(wanted: { id: string; accountId: string }, ms: number) {
        const leased = await stores().generations.acquireLease(wanted, ms);
        // It stalls until its lease has expired; then the owner takes it back.
        await world.pass(leaseMs + 1_000);
        await cancelGeneration(process.deps, wanted.id);
        taken.push(wanted.id);
        return leased;
      },
    };
    const slow = world.startProcess(provider);
    const deps = { ...slow.deps, database: { ...slow.deps.database, generations } };
    await runGeneration(deps, { generationId: id, accountId }, never);
    expect(taken).toEqual([id]);
    expect(provider.accepted.size).toBe(0);
    expect(await stores().generations.find(id)).toMatchObject({ failure: { wasCancelled: true } });
  });
});
