import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { minuteMs, sum } from '@framegate/contract';
import { createSlotStore } from '../../gateway/src/adapters/mongo/providers/providerStores.ts';
import { endGeneration } from '../../gateway/src/application/generations/end/endGeneration.ts';
import { wakeParked } from '../../gateway/src/application/generations/run/freeSlots.ts';
import { runGeneration } from '../../gateway/src/application/generations/run/runGeneration.ts';
import type { Generation } from '../../gateway/src/domain/generations/generation.ts';
import { profile } from '../support/profile.ts';
import { until } from '../support/until.ts';
import { forgetWork, useWorkProcesses } from '../support/useWorkProcesses.ts';
import {
  acceptedBy,
  accountOf,
  jobOf,
  range,
  routesOf,
  routeTo,
  store,
  workGeneration,
  type WorkProcess,
} from '../support/workWorld.ts';

/** Model A goes only to provider a, B only to b, and the third to either. */
const [a, b] = [routeTo('a'), routeTo('b')];
const routes = routesOf({ A: [a], B: [b], both: [a, b] });
const opened = useWorkProcesses(3, { routes });
let processes: WorkProcess[];
let first: WorkProcess;
let nowMs: number;
const { signal } = new AbortController();

beforeAll(() => {
  processes = opened();
  [first] = opened();
});
beforeEach(() => {
  nowMs = first.mongo.clock.now();
});

const withProvider = (provider: string, count: number, model: string): Generation[] =>
  range(count).map((index) =>
    workGeneration(`gen_${provider}_${index}`, `acct_${index % 50}`, nowMs, {
      model,
      step: 'submitted',
      status: 'processing',
      attempts: [acceptedBy(provider, nowMs)],
    }),
  );
const parked = (
  id: string,
  accountId: string,
  providers: string[],
  more: Partial<Generation> = {},
): Generation =>
  workGeneration(id, accountId, nowMs - minuteMs, {
    model: providers.length === 1 ? String(providers[0]).toUpperCase() : 'both',
    step: 'parked',
    waitsFor: { providers, at: nowMs },
    ...more,
  });
const stepOf = async (id: string) => (await first.mongo.database.generations.find(id))?.step;
const called = () => first.mongo.collections.generations.countDocuments({ step: 'ready' });

describe('a generation that waits for room at its provider', () => {
  test('is assigned a slot when one is free, however many wait for a full one', async () => {
    await store(first.mongo, [
      ...withProvider('a', 20, 'A'),
      ...range(600).map((index) => parked(`gen_p_${index}`, `acct_${index % 50}`, ['a'])),
      parked('gen_wanted', 'acct_b', ['b'], { createdAt: nowMs }),
    ]);
    await wakeParked(first.deps);
    expect(await stepOf('gen_wanted')).toBe('ready');
    expect(await called()).toBe(1);
  });

  test('is the only one assigned to one free slot by all ends of all processes', async () => {
    await store(first.mongo, [
      ...withProvider('a', 19, 'A'),
      ...range(40).map((index) => parked(`gen_p_${index}`, `acct_${index % 5}`, ['a'])),
    ]);
    const ends = range(25).map((index) =>
      wakeParked((processes[index % 3] as WorkProcess).deps, 'a'),
    );
    await Promise.all(ends);
    expect(await called()).toBe(1);
    await Promise.all(processes.map(({ deps }) => wakeParked(deps)));
    expect(await called()).toBe(1);
  });

  test('is called in turn between accounts, the oldest of an account first', async () => {
    const of = (account: string, count: number) =>
      range(count).map((index) =>
        parked(`gen_${account}_${index}`, account, ['a'], { createdAt: nowMs - 9_000 + index }),
      );
    await store(first.mongo, [
      ...withProvider('a', 20, 'A'),
      ...of('acct_x', 9),
      ...of('acct_y', 2),
      ...of('acct_z', 3),
    ]);
    const order: string[] = [];
    for (const index of range(6)) {
      await first.mongo.collections.generations.deleteOne({ _id: `gen_a_${index}` });
      await wakeParked((processes[index % 3] as WorkProcess).deps, 'a');
      const found = await first.mongo.collections.generations
        .find({ step: 'ready', _id: { $nin: order } })
        .toArray();
      order.push(...found.map(({ _id }) => _id));
    }
    expect(order.map((id) => id.replace('gen_acct_', ''))).toEqual([
      'x_0',
      'y_0',
      'z_0',
      'x_1',
      'y_1',
      'z_1',
    ]);
  });

  test('keeps its assigned slot until it starts, and starts in it', async () => {
    await store(first.mongo, [...withProvider('a', 19, 'A'), parked('gen_p', 'acct_p', ['a'])]);
    await wakeParked(first.deps, 'a');
    await store(first.mongo, [
      workGeneration('gen_late', 'acct_q', nowMs, { model: 'A', step: 'ready' }),
    ]);
    await runGeneration(first.deps, jobOf('gen_late', 'acct_q'), signal);
    expect(await stepOf('gen_late')).toBe('parked');
    await runGeneration(first.deps, jobOf('gen_p', 'acct_p'), signal);
    expect(await stepOf('gen_p')).toBe('submitted');
  });

  test('leaves its slot to the next one when it goes to another provider', async () => {
    await store(first.mongo, [
      ...withProvider('b', 19, 'B'),
      parked('gen_first', 'acct_1', ['a', 'b']),
      parked('gen_next', 'acct_2', ['b']),
    ]);
    await wakeParked(first.deps, 'b');
    expect([await stepOf('gen_first'), await stepOf('gen_next')]).toEqual(['ready', 'parked']);
    await runGeneration(first.deps, jobOf('gen_first'), signal);
    const gone = await first.mongo.database.generations.find('gen_first');
    expect(gone).toMatchObject({ step: 'submitted', providerSlot: 'a' });
    expect(await stepOf('gen_next')).toBe('ready');
  });

  test('is judged again when the routes have changed', async () => {
    const long = nowMs - 120_000;
    await store(first.mongo, [
      parked('gen_moved', 'acct_1', ['gone'], {
        model: 'B',
        waitsFor: { providers: ['gone'], at: long },
      }),
      parked('gen_lost', 'acct_3', ['gone'], {
        model: 'none',
        waitsFor: { providers: ['gone'], at: long },
      }),
    ]);
    await first.mongo.database.accounts.insert(accountOf('acct_3', nowMs, 1));
    await wakeParked(first.deps);
    expect(await stepOf('gen_moved')).toBe('ready');
    await runGeneration(first.deps, jobOf('gen_lost', 'acct_3'), signal);
    expect(await stepOf('gen_lost')).toBe('ended');
  });
});

describe('slots at a provider', () => {
  test('are not overfilled by processes that start at one moment', async () => {
    const ids = range(60).map((index) => `gen_${index}`);
    await store(
      first.mongo,
      ids.map((id, index) =>
        workGeneration(id, `acct_${index % 7}`, nowMs, { model: 'A', step: 'ready' }),
      ),
    );
    const { generations } = first.mongo.collections;
    // On a slow machine a run may find its account taken, and leave its generation to the next one.
    await until(async () => {
      await Promise.all(
        ids.map((id, index) =>
          runGeneration(
            (processes[index % 3] as WorkProcess).deps,
            jobOf(id, `acct_${index % 7}`),
            signal,
          ),
        ),
      );
      return (await called()) === 0;
    });
    expect(await generations.countDocuments({ step: 'submitted' })).toBe(20);
    expect(await generations.countDocuments({ step: 'parked' })).toBe(40);
  });

  test('are counted at one moment, while generations change their steps', async () => {
    await store(first.mongo, withProvider('a', 60, 'A'));
    const { client, clock, collections } = first.mongo;
    const limit = { key: 'a', kind: 'provider', max: 60 } as const;
    const reserve = () => createSlotStore(collections, clock).reserve(limit, () => 1);
    // Allows writes at each step of a scan. By default the server does so every 10 ms, which a busy machine exceeds.
    const yieldEvery = (steps: number) =>
      client.db('admin').command({ setParameter: 1, internalQueryExecYieldIterations: steps });
    const { was } = await yieldEvery(1);
    let isOver = false;
    const changing = (['submitting', 'submitted'] as const).map(async (step) => {
      for (let index = 0; !isOver; index = (index + 1) % 60) {
        const change = { $set: { step } };
        await collections.generations.updateOne({ _id: `gen_a_${index}` }, change);
      }
    });
    try {
      const reserved = [];
      for (let count = 0; count < 400; count += 1) reserved.push(await reserve());
      expect(new Set(reserved)).toEqual(new Set([null]));
    } finally {
      isOver = true;
      await Promise.all(changing);
      await yieldEvery(Number(was));
    }
  });

  test('are returned when the process that reserved them dies', async () => {
    await store(first.mongo, [...withProvider('a', 19, 'A'), parked('gen_p', 'acct_p', ['a'])]);
    const reserved = [{ token: 'gone', count: 1, leaseUntil: new Date(nowMs - 1) }];
    const { slots } = first.mongo.collections;
    await slots.insertOne({ _id: 'a', version: 1, reserved, lastAccount: '' });
    await wakeParked(first.deps, 'a');
    expect(await stepOf('gen_p')).toBe('ready');
    expect(await slots.findOne({ _id: 'a' })).toMatchObject({ reserved: [] });
  });

  test('cost an end the same few reads, however many are in flight or parked', async () => {
    const costs = [];
    for (const size of [1, 40]) {
      await store(first.mongo, [
        ...range(50 * size).map((index) =>
          workGeneration(`gen_c_${index}`, `acct_${index % 100}`, nowMs, {
            model: 'B',
            step: 'submitted',
            status: 'processing',
            attempts: [acceptedBy('b', nowMs)],
          }),
        ),
        ...withProvider('a', 20, 'A'),
        ...range(25 * size).map((index) => parked(`gen_p_${index}`, `acct_${index}`, ['a'])),
      ]);
      await first.mongo.database.accounts.insert(accountOf('acct_0', nowMs, 1));
      const ending = await first.mongo.database.generations.acquireLease(
        { id: 'gen_a_0', accountId: 'acct_0' },
        30_000,
      );
      if (!ending) throw new Error('not leased');
      const read = await profile(first.mongo.db, ['generations', 'providerSlots'], () =>
        endGeneration(first.deps, ending, {
          status: 'failed',
          failure: { code: 'generation_failed' },
          note: 'for the test',
        }),
      );
      expect(await called()).toBe(1);
      expect(read.filter(({ plan }) => plan.includes('COLLSCAN'))).toEqual([]);
      const sumOf = (field: 'documents' | 'keys') => sum(read.map((each) => each[field]));
      costs.push({
        queries: read.length,
        documents: sumOf('documents'),
        keys: sumOf('keys'),
      });
      await forgetWork(first);
    }
    const [few, many] = costs;
    expect(many?.queries).toBeLessThanOrEqual((few?.queries ?? 0) + 1);
    expect(many?.documents).toBeLessThanOrEqual((few?.documents ?? 0) + 5);
    expect(many?.keys).toBeLessThanOrEqual((few?.keys ?? 0) + 25);
  });
});
