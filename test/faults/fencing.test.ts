import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { hourMs } from '@framegate/contract';
import { endGeneration } from '../../gateway/src/application/generations/end/endGeneration.ts';
import { StaleWriteError } from '../../gateway/src/application/ports/database.ts';
import type { Generation } from '../../gateway/src/domain/generations/generation.ts';
import { createModelProvider } from '../properties/modelProvider.ts';
import { type ModelWorld, openModelWorld } from '../properties/modelWorld.ts';
import { video } from '../support/bodies.ts';
import { takeTestDatabase } from '../support/database.ts';

const database = takeTestDatabase();
const leaseMs = 30_000;
let world: ModelWorld;
let process: ReturnType<ModelWorld['startProcess']>;
let id: string;
let accountId: string;

beforeAll(async () => {
  world = await openModelWorld(database.uri);
});
afterAll(async () => {
  await world.mongo.close();
  await database.drop();
});

beforeEach(async () => {
  await world.empty();
  process = world.startProcess(createModelProvider());
  const caller = await world.addAccount();
  ({ accountId } = caller);
  await world.grant(caller.accountId, 'purchased', 1_000, Infinity);
  const create = (key: string) => process.create(caller, key, video());
  const responses = [await create('a'), await create('b'), await create('c')];
  const ids = responses.map((body) => (JSON.parse(body) as { id: string }).id);
  id = ids[2] ?? '';
});

const store = () => world.mongo.database.generations;

async function acquire(): Promise<Generation> {
  const leased = await store().acquireLease({ id, accountId }, leaseMs);
  if (!leased) throw new Error('not leased');
  return leased;
}

describe('a holder whose lease has expired', () => {
  test('misses with every write once another process has the generation', async () => {
    const late = await acquire();
    expect(await store().acquireLease({ id, accountId }, leaseMs)).toBeNull();
    await world.pass(leaseMs + 1_000);
    const holder = await acquire();
    await expect(store().update(late, { status: 'processing' })).rejects.toThrow(StaleWriteError);
    expect(await store().renewLease(late, leaseMs, 0)).toBe(false);
    const before = await store().find(id);
    await store().putOff([{ generation: late, dueAt: 0 }]);
    expect(await store().find(id)).toEqual(before);
    await store().update(holder, { leaseUntil: 0 });
  });

  test('does not end it in a step that it has left', async () => {
    const late = await acquire();
    expect(late.step).toBe('waiting');
    await world.pass(leaseMs + 1_000);
    expect(await store().move(late, 'waiting', { step: 'ready' })).toBe(true);
    const failure = { code: 'capacity_exceeded' as const };
    const ending = { status: 'failed' as const, failure, note: 'late' };
    await expect(endGeneration(process.deps, late, ending)).rejects.toThrow(StaleWriteError);
    expect(await store().find(id)).toMatchObject({ status: 'queued', step: 'ready' });
  });

  test('does not fail it before the deadline, whatever its own clock shows', async () => {
    const held = await acquire();
    const ending = {
      status: 'failed' as const,
      note: 'early',
      mustBePastDeadline: true,
      failure: { code: 'capacity_exceeded' as const },
    };
    await expect(endGeneration(process.deps, held, ending)).rejects.toThrow(StaleWriteError);
    await world.pass(6 * hourMs);
    await endGeneration(process.deps, held, ending);
    expect(await store().find(id)).toMatchObject({ status: 'failed' });
  });
});
