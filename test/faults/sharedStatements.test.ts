import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createSharedLeases } from '../../gateway/src/adapters/mongo/generations/sharedLeases.ts';
import { createSharedUpdates } from '../../gateway/src/adapters/mongo/generations/sharedUpdates.ts';
import type { Generation } from '../../gateway/src/domain/generations/generation.ts';
import { useWorkProcesses } from '../support/useWorkProcesses.ts';
import { range, routesOf, store, workGeneration, type WorkProcess } from '../support/workWorld.ts';

const opened = useWorkProcesses(1, { routes: routesOf({}) });
const leaseMs = 30_000;
const ids = range(6).map((index) => `gen_${index}`);
let process: WorkProcess;
let statements: number[];

beforeAll(() => {
  [process] = opened();
});
beforeEach(async () => {
  statements = [];
  const nowMs = process.mongo.clock.now();
  await store(
    process.mongo,
    ids.map((id) => workGeneration(id, 'acct_1', nowMs, { step: 'ready' })),
  );
});

/** The generations, and the sizes of the statements shared by several writes. */
function watched() {
  const { generations } = process.mongo.collections;
  const bulkWrite: typeof generations.bulkWrite = (all, options) => {
    statements.push(all.length);
    return generations.bulkWrite(all, options);
  };
  const bind = (value: unknown) =>
    typeof value === 'function' ? (value as () => void).bind(generations) : value;
  const proxy = new Proxy(generations, {
    get: (target, name) => (name === 'bulkWrite' ? bulkWrite : bind(Reflect.get(target, name))),
  });
  return { generations: proxy };
}

const leaser = (name: string) => {
  let count = 0;
  const acquire = createSharedLeases(
    watched(),
    () => `${name} ${(count += 1)}`,
    () => false,
  );
  return (id: string, epoch?: number) => acquire({ id, accountId: 'acct_1', leaseMs, epoch });
};

/** Runs work while an uncommitted transaction locks the first generation. */
async function whileHeld(work: () => Promise<void>): Promise<void> {
  const session = process.mongo.client.startSession();
  try {
    session.startTransaction();
    await process.mongo.collections.generations.updateOne(
      { _id: 'gen_0' },
      { $set: { dueAt: new Date() } },
      { session },
    );
    await work();
  } finally {
    await session.abortTransaction();
    await session.endSession();
  }
}

describe('simultaneous leases', () => {
  test('share a statement, and each generation goes to one requester', async () => {
    const [first, second] = [leaser('one'), leaser('two')];
    const held = await second('gen_0');
    expect(held).not.toBeNull();
    const [ofFirst, ofSecond] = await Promise.all([
      Promise.all([...ids, 'gen_1', 'gen_missing'].map((id) => first(id))),
      Promise.all(ids.map((id) => second(id))),
    ]);
    const taken = [...ofFirst, ...ofSecond].flatMap((each) => each?.id ?? []);
    expect(taken.toSorted()).toEqual(ids.slice(1));
    expect(statements).toEqual([8, 6]);
    for (const each of ofFirst) if (each) expect(each).toMatchObject({ epoch: 1, step: 'ready' });
  });

  test('keep the epochs that they name', async () => {
    const acquire = leaser('one');
    const [one, two] = await Promise.all([acquire('gen_1', 7), acquire('gen_2', 0)]);
    expect([one, two?.id]).toEqual([null, 'gen_2']);
  });

  test('do not wait for a generation locked by a transaction', async () => {
    const acquire = leaser('one');
    let late: Promise<Generation | null> | undefined;
    await whileHeld(async () => {
      late = acquire('gen_0');
      const others = await Promise.all(ids.slice(1).map((id) => acquire(id)));
      expect(others.map((each) => each?.id)).toEqual(ids.slice(1));
    });
    expect((await late)?.id).toBe('gen_0');
  });
});

describe('simultaneous updates', () => {
  const setStep = (id: string, epoch: number, step: unknown) => ({
    filter: { _id: id, open: true, epoch },
    update: { $set: { step: step as Generation['step'] } },
  });
  const steps = async () => {
    const found = await process.mongo.collections.generations
      .find({}, { sort: { _id: 1 } })
      .toArray();
    return found.map(({ step }) => step);
  };

  test('share a statement', async () => {
    const write = createSharedUpdates(watched());
    const written = await Promise.all(ids.map((id) => write(setStep(id, 0, 'parked'))));
    expect(written).toEqual(ids.map(() => true));
    expect(statements).toEqual([6]);
    expect(await steps()).toEqual(ids.map(() => 'parked'));
  });

  test('miss and fail individually', async () => {
    const write = createSharedUpdates(watched());
    const [stale, wrong, ...others] = await Promise.allSettled([
      write(setStep('gen_0', 9, 'parked')),
      write(setStep('gen_1', 0, 5)),
      ...ids.slice(2).map((id) => write(setStep(id, 0, 'parked'))),
    ]);
    expect(stale).toEqual({ status: 'fulfilled', value: false });
    expect(wrong.status).toBe('rejected');
    expect(others).toEqual(ids.slice(2).map(() => ({ status: 'fulfilled', value: true })));
    expect((await steps()).slice(0, 2)).toEqual(['ready', 'ready']);
  });

  test('do not wait for a generation locked by a transaction', async () => {
    const write = createSharedUpdates(watched());
    let late: Promise<boolean> | undefined;
    await whileHeld(async () => {
      late = write(setStep('gen_0', 0, 'parked'));
      const others = ids.slice(1).map((id) => write(setStep(id, 0, 'parked')));
      expect(await Promise.all(others)).toEqual(ids.slice(1).map(() => true));
    });
    expect(await late).toBe(true);
  });
});
