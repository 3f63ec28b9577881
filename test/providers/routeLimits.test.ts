import { beforeAll, describe, expect, test } from '@jest/globals';
import { sum } from '@framegate/contract';
import type { Route } from '@framegate/provider-routes';
import { endGeneration } from '../../gateway/src/application/generations/end/endGeneration.ts';
import { wakeParked } from '../../gateway/src/application/generations/run/freeSlots.ts';
import { runGeneration } from '../../gateway/src/application/generations/run/runGeneration.ts';
import { useWorkProcesses } from '../support/useWorkProcesses.ts';
import {
  accountOf,
  jobOf,
  range,
  routesOf,
  routeTo,
  store,
  workGeneration,
  type WorkProcess,
} from '../support/workWorld.ts';

/* Limits of a route in addition to its provider's, kept by three processes together. */

const limits = { maxConcurrent: 3, startsPerMinute: null };
const narrow = routeTo('p', { model: 'narrow', limits });
const slow = routeTo('p', {
  model: 'slow',
  limits: { maxConcurrent: null, startsPerMinute: 5 },
});
const wide = routeTo('p', { model: 'wide' });
const models: Record<string, Route[]> = {
  narrow: [narrow],
  slow: [slow],
  wide: [wide],
  either: [narrow, wide],
};
const routes = {
  ...routesOf(models),
  providers: () => [
    { provider: 'p', maxConcurrent: 20, budget: null, models: ['narrow', 'slow', 'wide'] },
  ],
};
const opened = useWorkProcesses(3, { routes });
let processes: WorkProcess[];
let first: WorkProcess;
const { signal } = new AbortController();

beforeAll(() => {
  processes = opened();
  [first] = opened();
});

/** Has three processes start this many generations of a model at one moment. */
async function start(model: string, count: number): Promise<void> {
  const nowMs = first.mongo.clock.now();
  const ids = range(count).map((index) => `gen_${model}_${String(index)}`);
  await store(
    first.mongo,
    ids.map((id) => workGeneration(id, 'acct_1', nowMs, { model, step: 'ready' })),
  );
  await Promise.all(
    ids.map((id, index) =>
      runGeneration((processes[index % 3] as WorkProcess).deps, jobOf(id), signal),
    ),
  );
}
const count = (query: object) => first.mongo.collections.generations.countDocuments(query);

describe('a route', () => {
  test('has its own limit of concurrent orders, while its neighbour at the provider continues', async () => {
    await start('narrow', 12);
    await start('wide', 10);
    expect(await count({ model: 'narrow', step: 'submitted' })).toBe(3);
    expect(await count({ model: 'narrow', step: 'parked', 'waitsFor.providers': 'p narrow' })).toBe(
      9,
    );
    expect(await count({ model: 'wide', step: 'submitted' })).toBe(10);

    // No generation is called to it in vain, and exactly one after an end.
    await Promise.all(processes.map(({ deps }) => wakeParked(deps)));
    expect(await count({ step: 'ready' })).toBe(0);
    await first.mongo.database.accounts.insert(accountOf('acct_1', first.mongo.clock.now(), 22));
    const { _id } = (await first.mongo.collections.generations.findOne({
      model: 'narrow',
      step: 'submitted',
    })) ?? { _id: '' };
    const ending = await first.mongo.database.generations.acquireLease(
      { id: _id, accountId: 'acct_1' },
      30_000,
    );
    if (!ending) throw new Error('not leased');
    await endGeneration(first.deps, ending, {
      status: 'failed',
      failure: { code: 'generation_failed' },
      note: 'for the test',
    });
    await Promise.all(processes.map(({ deps }) => wakeParked(deps)));
    const called = await first.mongo.collections.generations.find({ step: 'ready' }).toArray();
    expect(called).toMatchObject([{ model: 'narrow', providerSlot: 'p', routeSlot: 'p narrow' }]);
    await runGeneration(first.deps, jobOf(String(called[0]?._id)), signal);
    expect(await count({ model: 'narrow', step: 'submitted' })).toBe(3);
  });

  test('that is full leaves a generation to the next one', async () => {
    await start('narrow', 3);
    await start('either', 4);
    expect(await count({ model: 'either', step: 'submitted' })).toBe(4);
    expect(await count({ 'attempts.model': 'wide' })).toBe(4);
  });

  test('is used within its limit per minute, and again after the minute', async () => {
    await start('slow', 12);
    expect(await count({ model: 'slow', step: 'submitted' })).toBe(5);
    expect(await count({ model: 'slow', step: 'parked' })).toBe(7);
    await Promise.all(processes.map(({ deps }) => wakeParked(deps)));
    expect(await count({ step: 'ready' })).toBe(0);
    const { slots } = first.mongo.collections;
    const found = await slots.findOne({ _id: 'p slow' });
    const starts = Object.entries(found?.['starts'] as Record<string, number>);
    expect(sum(starts.map(([, each]) => each))).toBe(5);
    const earlier = starts.map(([slot, each]) => [String(Number(slot) - 62), each]);
    await slots.updateOne({ _id: 'p slow' }, { $set: { starts: Object.fromEntries(earlier) } });
    await Promise.all(processes.map(({ deps }) => wakeParked(deps)));
    expect(await count({ step: 'ready', routeSlot: 'p slow' })).toBe(5);
    const called = await first.mongo.collections.generations.find({ step: 'ready' }).toArray();
    await Promise.all(called.map(({ _id }) => runGeneration(first.deps, jobOf(_id), signal)));
    expect(await count({ model: 'slow', step: 'submitted' })).toBe(10);
  });
});
