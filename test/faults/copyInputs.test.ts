import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createSlots } from '@framegate/limits';
import { InputStoreError } from '@framegate/media/errors';
import type { AppCore } from '../../gateway/src/application/app.ts';
import { createInputTurns } from '../../gateway/src/application/generations/deliver/inputTurns.ts';
import { runGeneration } from '../../gateway/src/application/generations/run/runGeneration.ts';
import { workKinds } from '../../gateway/src/application/workKinds.ts';
import type { Generation } from '../../gateway/src/domain/generations/generation.ts';
import { useWorkProcesses } from '../support/useWorkProcesses.ts';
import {
  accountOf,
  jobOf,
  routesOf,
  routeTo,
  store,
  workGeneration,
  type WorkProcess,
} from '../support/workWorld.ts';

const id = 'gen_1';
const inputs: Generation['inputs'] = [
  { type: 'image', role: 'first_frame', url: 'https://media.example/a.png', ownOutput: null },
];
const routes = routesOf({ m: [routeTo('videos')] });
const never = new AbortController().signal;
let takeInputs: AppCore['takeInputs'];
let takeOvers = 0;
let worker: WorkProcess;

const opened = useWorkProcesses(1, {
  routes,
  takeInputs: (...args) => {
    takeOvers += 1;
    return takeInputs(...args);
  },
});
beforeAll(() => {
  [worker] = opened();
});
beforeEach(async () => {
  takeOvers = 0;
  worker.deps.inputTurns = createInputTurns({
    clock: worker.mongo.clock,
    random: worker.deps.random,
    slots: createSlots(workKinds),
  });
  const nowMs = worker.mongo.clock.now();
  await worker.mongo.database.accounts.insert(accountOf('acct_1', nowMs, 1));
  await store(worker.mongo, [workGeneration(id, 'acct_1', nowMs, { inputs, step: 'ready' })]);
});

const find = async () => (await worker.mongo.database.generations.find(id)) as Generation;
/** Runs the generation once, as if the previous run's lease had expired. */
const run = async () => {
  const { generations } = worker.mongo.collections;
  await generations.updateOne({ _id: id }, { $set: { leaseUntil: new Date(0) } });
  return runGeneration(worker.deps, jobOf(id), never);
};

describe('inputs without a verdict', () => {
  test('end the generation after three take-overs, refunded, and are not fetched again', async () => {
    takeInputs = () => Promise.reject(new Error('the parser says nothing'));
    await expect(run()).rejects.toThrow('says nothing');
    await expect(run()).rejects.toThrow('says nothing');
    await run();
    const ended = await find();
    expect([ended.status, ended.failure?.code, takeOvers]).toEqual(['failed', 'internal_error', 3]);
    const account = await worker.mongo.database.accounts.find('acct_1');
    expect([account?.running, account?.inFlightCredits]).toEqual([0, 0]);
    expect(await worker.mongo.collections.ledger.countDocuments({ kind: 'refund' })).toBe(1);
    expect(worker.heard.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  test('count even when they crash the process', async () => {
    // A process killed during a take-over writes nothing more: only earlier writes count.
    await worker.mongo.collections.generations.updateOne(
      { _id: id },
      { $set: { inputAttempts: 3 } },
    );
    await run();
    expect([(await find()).failure?.code, takeOvers]).toEqual(['internal_error', 0]);
  });

  test('are counted before they begin', async () => {
    let counted: number | undefined;
    takeInputs = async () => {
      counted = (await find()).inputAttempts;
      return { ok: true, stored: [] };
    };
    await run();
    expect(counted).toBe(1);
    expect((await find()).step).toBe('submitted');
  });
});

test('wait for a store that is down', async () => {
  takeInputs = () => Promise.reject(new InputStoreError('the store is down'));
  for (let attempts = 0; attempts < 5; attempts += 1) {
    await expect(run()).rejects.toThrow('is down');
  }
  takeInputs = async () => ({ ok: true, stored: [] });
  await run();
  expect((await find()).step).toBe('submitted');
});

test('slow inputs make the account wait, without a fetch, and its credits stay taken meanwhile', async () => {
  const { inputTurns, clock } = worker.deps;
  for (let files = 0; files < 3; files += 1) inputTurns.recordSlow('acct_1');
  const next = await run();
  const waiting = await find();
  expect([waiting.status, waiting.step, takeOvers]).toEqual(['queued', 'ready', 0]);
  expect(next).toEqual({ at: waiting.dueAt, isTaken: false });
  expect(waiting.dueAt - clock.now()).toBeGreaterThan(20_000);
});

test('a slow input counts against its account', async () => {
  takeInputs = async () => ({
    ok: false,
    code: 'input_invalid',
    param: 'inputs[0].url',
    reason: 'took too long',
    isSlow: true,
  });
  const slow: string[] = [];
  worker.deps.inputTurns = {
    ...worker.deps.inputTurns,
    recordSlow: (accountId) => void slow.push(accountId),
  };
  await run();
  expect([(await find()).failure?.code, slow]).toEqual(['input_invalid', ['acct_1']]);
});

test('a result that was taken down after the order is not copied', async () => {
  const { clock, collections } = worker.mongo;
  const nowMs = clock.now();
  const key = 'outputs/gen_0/0.png';
  const outputs = [{ key, extension: 'png', mediaType: 'image/png', bytes: 1, sha256: 'x' }];
  const ended = { step: 'ended', status: 'completed', outputs, outputsRemovedAt: nowMs } as const;
  await store(worker.mongo, [workGeneration('gen_0', 'acct_1', nowMs, ended)]);
  const [input] = inputs;
  const ownOutput = { generationId: 'gen_0', index: 0 };
  await collections.generations.updateOne(
    { _id: id },
    { $set: { inputs: [{ ...input, ownOutput }] as never } },
  );
  const asked: (string | null)[] = [];
  takeInputs = async (_of, sources) => {
    asked.push(...sources.map(({ storeKey }) => storeKey));
    return { ok: true, stored: [] };
  };
  await run();
  // An empty key counts as missing.
  expect(asked).toEqual(['']);
});
