import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { dayMs } from '@framegate/contract';
import type { Route } from '@framegate/provider-routes';
import {
  createBreakerStore,
  createBudgetStore,
} from '../../gateway/src/adapters/mongo/providers/providerStores.ts';
import { wakeParked } from '../../gateway/src/application/generations/run/freeSlots.ts';
import {
  refundBudget,
  reserveBudget,
} from '../../gateway/src/application/generations/run/providerLimits.ts';
import { runGeneration } from '../../gateway/src/application/generations/run/runGeneration.ts';
import { dayOf } from '../../gateway/src/domain/time/utcDay.ts';
import { takeTestDatabase } from '../support/database.ts';
import {
  jobOf,
  openWorkProcess,
  range,
  routesOf,
  routeTo,
  store,
  workGeneration,
  type WorkProcess,
} from '../support/workWorld.ts';

const database = takeTestDatabase();
const usd = (micros: number) => ({ currency: 'USD', micros });
/** Orders that were made, by provider. */
const made: string[] = [];
const accept = (provider: string): Partial<Route> => ({
  async submit() {
    made.push(provider);
    return { kind: 'accepted', operation: { id: `task-${made.length}` } };
  },
});
/** Ten orders of a day fit. */
const a = routeTo('a', { ...accept('a'), budget: usd(1_050), findCost: async () => usd(100) });
const b = routeTo('b', accept('b'));
/** Refuses every order. */
const busy = routeTo('busy', {
  budget: usd(250),
  findCost: async () => usd(100),
  async submit() {
    made.push('busy');
    return { kind: 'refused', code: null, isBusy: false, note: 'no' };
  },
});
/** A route of unknown cost. */
const unknown = routeTo('unknown', { ...accept('unknown'), budget: usd(250) });
const routes = routesOf({ A: [a], both: [a, b], busy: [busy, b], unknown: [unknown, b] });
let processes: (WorkProcess & { breakers: ReturnType<typeof createBreakerStore> })[];
let first: (typeof processes)[number];
let nowMs: number;
const { signal } = new AbortController();

beforeAll(async () => {
  processes = await Promise.all(
    [1, 2].map(async () => {
      const opened = await openWorkProcess(database.uri, { routes });
      const { mongo, deps } = opened;
      const breakers = createBreakerStore(mongo, deps.log, 3_000);
      return { ...opened, breakers, deps: { ...deps, breakers } };
    }),
  );
  first = processes[0] as typeof first;
});
afterAll(async () => {
  for (const { mongo, breakers } of processes) {
    breakers.stop();
    await mongo.close();
  }
  await database.drop();
});
beforeEach(() => {
  nowMs = first.mongo.clock.now();
});
afterEach(async () => {
  made.length = 0;
  for (const { heard } of processes) heard.lines.length = 0;
  const used = [
    'generations',
    'accounts',
    'accountLookups',
    'providerTasks',
    'jobs',
    'slots',
    'spending',
    'breakers',
  ] as const;
  for (const name of used) await first.mongo.collections[name].deleteMany({});
  for (const { breakers } of processes) await breakers.refresh();
});

/** Stores generations that are ready. @returns Their ids. */
async function storeReady(model: string, count: number): Promise<string[]> {
  const ids = range(count).map((index) => `gen_${model}_${index}`);
  await store(
    first.mongo,
    ids.map((id) => workGeneration(id, 'acct_1', nowMs, { model, step: 'ready' })),
  );
  return ids;
}

/** Runs generations in two processes simultaneously. */
async function runAll(model: string, count: number): Promise<void> {
  const ids = await storeReady(model, count);
  await Promise.all(
    ids.map((id, index) =>
      runGeneration((processes[index % 2] as WorkProcess).deps, jobOf(id), signal),
    ),
  );
}

const stepsOf = async () => {
  const found = await first.mongo.collections.generations.find().toArray();
  return found.map(({ step }) => step as string).toSorted();
};
const spentAt = async (provider: string) => {
  const found = await createBudgetStore(first.mongo.collections).sumSpent(dayOf(nowMs));
  return found.find((each) => each.provider === provider)?.spent.micros;
};
const alerts = () =>
  processes.flatMap(({ heard }) =>
    heard.lines.filter(({ fields }) => fields['alert'] === 'provider_budget_spent'),
  );

test('two processes together never exceed it, and orders that do not fit go to the next route', async () => {
  await runAll('both', 24);
  expect(made.filter((provider) => provider === 'a')).toHaveLength(10);
  expect(made.filter((provider) => provider === 'b')).toHaveLength(14);
  expect(await spentAt('a')).toBe(1_000);
  // Both processes may notice at the same moment; the breaker notifies only one of them.
  expect(alerts()).toMatchObject([{ level: 'error', fields: { provider: 'a' } }]);
  const document = await first.mongo.collections.breakers.findOne({ _id: 'budget: a 1050 USD' });
  expect(document?.['openUntil']).toEqual(new Date(Date.parse(dayOf(nowMs)) + dayMs));
});

test('without a free route further orders wait without polls, and resume after a refund', async () => {
  await runAll('A', 14);
  const [parked, submitted] = ['parked', 'submitted'].map((step, index) =>
    range(index === 0 ? 4 : 10).map(() => step),
  );
  expect(await stepsOf()).toEqual([...(parked ?? []), ...(submitted ?? [])]);
  for (const { deps, breakers } of processes) {
    await breakers.refresh();
    await wakeParked(deps);
  }
  expect(await stepsOf()).toEqual([...(parked ?? []), ...(submitted ?? [])]);
  await refundBudget(first.deps, a, { cost: usd(100), startedAt: nowMs });
  await wakeParked(first.deps);
  const ready = await first.mongo.collections.generations.findOne({ step: 'ready' });
  await runGeneration(first.deps, jobOf(String(ready?._id)), signal);
  expect(made).toHaveLength(11);
  expect(await spentAt('a')).toBe(1_000);
});

test('a returned amount counts immediately, even if the process does not know that the budget is spent', async () => {
  const [one, two] = processes.map(({ deps }) => deps);
  if (!one || !two) throw new Error('two processes');
  const whole = { cost: usd(1_000), startedAt: nowMs };
  expect(await reserveBudget(one, a, whole)).toBe(true);
  expect(await reserveBudget(one, a, whole)).toBe(false);
  await refundBudget(two, a, whole);
  await processes[0]?.breakers.refresh();
  const { openUntil } = one.breakers.get('budget: a 1050 USD');
  expect(openUntil).toBeLessThanOrEqual(one.clock.now());
  // Returned between the read of the sum and the opening of the circuit: the process that opens it reads again.
  expect(await reserveBudget(one, a, whole)).toBe(true);
  let attempts = 0;
  const budgets: typeof one.budgets = {
    ...one.budgets,
    reserve: async (...asked) => {
      const fits = await one.budgets.reserve(...asked);
      attempts += 1;
      if (attempts === 1) await refundBudget(two, a, whole);
      return fits;
    },
  };
  expect(await reserveBudget({ ...one, budgets }, a, whole)).toBe(true);
  expect(one.breakers.get('budget: a 1050 USD').openedAt).toBeNull();
});

test('orders that a provider did not take do not count, and an order of unknown cost does not leave', async () => {
  for (const id of await storeReady('busy', 6)) await runGeneration(first.deps, jobOf(id), signal);
  expect(made.toSorted()).toEqual([...range(6).map(() => 'b'), ...range(6).map(() => 'busy')]);
  expect(await spentAt('busy')).toBe(0);
  const document = await first.mongo.collections.generations.findOne({ _id: 'gen_busy_0' });
  expect(document?.['attempts']).toMatchObject([
    { provider: 'busy', outcome: 'refused', isFree: true, cost: usd(100) },
    { provider: 'b', outcome: 'accepted', cost: null },
  ]);
  made.length = 0;
  await runAll('unknown', 1);
  expect(made).toEqual(['b']);
});

test('starts over with the next day, and a changed budget is not held up by its predecessor', async () => {
  const attempt = { cost: usd(1_000), startedAt: nowMs };
  expect(await reserveBudget(first.deps, a, attempt)).toBe(true);
  expect(await reserveBudget(first.deps, a, attempt)).toBe(false);
  const tomorrow = { ...attempt, startedAt: nowMs + dayMs };
  expect(await reserveBudget(first.deps, a, tomorrow)).toBe(true);
  expect(first.breakers.get('budget: a 1050 USD').openedAt).toBeNull();
  expect(await reserveBudget(first.deps, { ...a, budget: usd(2_000) }, attempt)).toBe(true);
});
