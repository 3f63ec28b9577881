import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { dayMs } from '@framegate/contract';
import { recordErasure } from '../../gateway/src/adapters/mongo/accounts/erasureStore.ts';
import { defaultTimings } from '../../gateway/src/application/generations/timings.ts';
import { takeTestDatabase } from '../support/database.ts';
import { useTwoProcesses } from './twoProcesses.ts';
import { overdue, type UpkeepProcess } from './upkeepWorld.ts';

const database = takeTestDatabase();
// Hooks run last first: it is dropped when the processes have closed.
afterAll(() => database.drop());
/** Files whose removal fails, by a part of their key; and all that were removed. */
const broken = new Set<string>();
let removed: string[] = [];
let beforeRemoval: (key: string) => Promise<void> = async () => undefined;
const media = {
  async delete(key: string) {
    await beforeRemoval(key);
    if ([...broken].some((part) => key.includes(part))) throw new Error('EIO');
    removed.push(key);
  },
} as never;

const timings = { ...defaultTimings, removalMs: 1_000 };
const processes = useTwoProcesses(database.uri, { media, timings });
let first: UpkeepProcess;
let second: UpkeepProcess;

/** Records an erasure with only generations left. */
const begin = (accountId: string) =>
  recordErasure(first.mongo.collections, { accountId, person: null, traces: [] });
beforeAll(() => {
  ({ first, second } = processes());
});
afterEach(() => {
  broken.clear();
  removed = [];
  beforeRemoval = async () => undefined;
});

const now = () => first.mongo.clock.now();
const generations = () => first.mongo.collections.generations;

describe('tidy', () => {
  test('a file that cannot be removed stops no other, and is tried again later', async () => {
    const fine = () => overdue(now(), dayMs);
    const [poisoned = ''] = await first.addGenerations(1, 'acct_1', () =>
      overdue(now(), 2 * dayMs),
    );
    broken.add(poisoned);
    await generations().updateOne(
      { _id: poisoned },
      { $set: { 'outputs.0.key': `outputs/${poisoned}/0.mp4` } },
    );
    await first.addGenerations(100, 'acct_1', fine);
    await first.round('tidy');
    expect(await generations().countDocuments({ outputsRemovedAt: { $ne: null } })).toBe(100);
    expect(first.lines).toContain('failed to remove files; retrying later');

    broken.clear();
    await first.round('tidy');
    const left = await generations().findOne({ _id: poisoned });
    expect(left?.['outputsRemovedAt']).toBeNull();
    const firstAttempt = (left?.['tidyAt'] as Date).getTime();
    expect(firstAttempt).toBeGreaterThan(now());
    await generations().updateOne({ _id: poisoned }, { $set: { tidyAt: new Date(now() - 1) } });
    await first.round('tidy');
    expect(await generations().countDocuments({ outputsRemovedAt: null })).toBe(0);
    expect(await generations().countDocuments({ tidyLease: { $exists: true } })).toBe(0);
  });

  test('two processes share the work: each file is removed once', async () => {
    const ids = await first.addGenerations(400, 'acct_1', (index) => {
      const generation = overdue(now(), dayMs);
      const outputs = generation.outputs ?? [];
      return { ...generation, outputs: outputs.map((each) => ({ ...each, key: `key ${index}` })) };
    });
    await Promise.all([first.round('tidy'), second.round('tidy')]);
    const own = removed.filter((key) => key.startsWith('key '));
    expect(own).toHaveLength(ids.length);
    expect(new Set(own).size).toBe(ids.length);
    expect(await generations().countDocuments({ outputsRemovedAt: null })).toBe(0);
  });

  test('never writes back data that was erased after it was read', async () => {
    const url = 'https://cdn.example.com/people/jane-doe-passport.png';
    const input = { type: 'image', role: 'first_frame', url, ownOutput: null } as const;
    const [id = ''] = await first.addGenerations(1, 'acct_1', () => ({
      ...overdue(now(), dayMs),
      inputs: [input],
    }));
    const { erasures } = first.deps.database;
    let isErased = false;
    beforeRemoval = async () => {
      if (isErased) return;
      isErased = true;
      await begin('acct_1');
      const lease = await erasures.acquireLease('acct_1');
      if (lease) await erasures.record(lease, { erased: [id], failed: 0, after: id });
    };
    await first.round('tidy');
    const found = await generations().findOne({ _id: id });
    expect(found).toMatchObject({ erased: true, inputs: [], prompt: '', tidyAt: null });
  });

  test('a file whose removal is never answered keeps neither the task nor the others', async () => {
    const silent = Promise.withResolvers<true>();
    await first.addGenerations(1, 'acct_1', () => ({
      ...overdue(now(), 2 * dayMs),
      outputs: [{ key: 'silent', extension: 'mp4', mediaType: 'video/mp4', bytes: 1, sha256: 'x' }],
    }));
    beforeRemoval = async (key) => {
      if (key === 'silent') await silent.promise;
    };
    await first.addGenerations(50, 'acct_1', () => overdue(now(), dayMs));
    const over = new AbortController();
    const round = first.round('tidy', over.signal);
    // Meanwhile the other tasks, and tidying by other processes, continue.
    await second.round('heal');
    await second.round('slots');
    await second.addGenerations(10, 'acct_1', () => overdue(now(), dayMs));
    await second.round('tidy');
    expect(await generations().countDocuments({ outputsRemovedAt: null })).toBeLessThan(60);
    over.abort();
    await round;
    expect(await generations().countDocuments({ outputsRemovedAt: null })).toBe(1);
    silent.resolve(true);
  }, 120_000);
});
