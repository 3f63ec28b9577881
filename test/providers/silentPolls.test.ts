import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { minuteMs, sum } from '@framegate/contract';
import { createPoller } from '../../gateway/src/application/generations/run/pollDue.ts';
import { until } from '../support/until.ts';
import { useWorkProcesses } from '../support/useWorkProcesses.ts';
import {
  acceptedBy,
  range,
  routesOf,
  routeTo,
  store,
  workGeneration,
  type WorkProcess,
} from '../support/workWorld.ts';

const polled = new Map<string, number>();
let stop: AbortController;
let processes: WorkProcess[];
let opened: WorkProcess;

/** Does not answer until the process stops. */
const silent = routeTo('silent', {
  poll: async (_, { generationId }, signal) => {
    polled.set(generationId, (polled.get(generationId) ?? 0) + 1);
    const never = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => never.reject(signal.reason), { once: true });
    return never.promise;
  },
});
const well = routeTo('well', {
  poll: async (_, { generationId }) => {
    polled.set(generationId, (polled.get(generationId) ?? 0) + 1);
    return { kind: 'pending' };
  },
});

const running = useWorkProcesses(2, { routes: routesOf({ S: [silent], W: [well] }) });
beforeAll(() => {
  processes = running();
  [opened] = running();
});
beforeEach(() => {
  polled.clear();
  stop = new AbortController();
});

const submitted = (id: string, provider: string, dueAt: number) => {
  const startedAt = opened.mongo.clock.now() - minuteMs;
  return workGeneration(id, 'acct_1', startedAt, {
    step: 'submitted',
    status: 'processing',
    startedAt,
    dueAt,
    attempts: [acceptedBy(provider, startedAt)],
  });
};

describe('a provider that does not answer polls', () => {
  test.each([1, 2])(
    'does not delay polls of other providers, although its own are overdue: %i workers',
    async (workers) => {
      const { mongo } = opened;
      const nowMs = mongo.clock.now();
      await store(mongo, [
        ...range(1_000).map((index) =>
          submitted(`gen_s_${index}`, 'silent', nowMs - 50_000 + index),
        ),
        ...range(300).map((index) => submitted(`gen_w_${index}`, 'well', nowMs - 5_000 + index)),
      ]);
      const pollers = processes
        .slice(0, workers)
        .map(({ deps }) => createPoller(deps, stop.signal));
      const pollAll = () => Promise.all(pollers.map((poller) => poller.pollDue(stop.signal)));
      const lanes = pollAll();
      const polledOf = (of: string) => [...polled.keys()].filter((id) => id.startsWith(of)).length;
      await until(() => polledOf('gen_w_') === 300, 'what is well has been polled');
      // The places of the silent one in each process, and no more.
      const filled = 400 * workers;
      // The tasks are left to others, and each further worker serves the responsive provider.
      await lanes;
      await until(async () => {
        await pollAll();
        return polledOf('gen_s_') === filled;
      }, 'the slots of the silent one are filled');
      const { generations } = mongo.collections;
      await until(async () => {
        const free = { providerSlot: 'well', leaseUntil: new Date(0) };
        await generations.updateMany(free, { $set: { dueAt: new Date(nowMs) } });
        await pollAll();
        return sum([...polled.values()]) >= filled + 2 * 300;
      }, 'what is well has been polled again');
      expect(polledOf('gen_s_')).toBe(filled);
      stop.abort(new Error('the test is over'));
      await Promise.all(pollers.map((poller) => poller.drain()));
    },
  );

  test('is still polled after it leaves the routes', async () => {
    const { mongo, deps } = opened;
    const nowMs = mongo.clock.now();
    await store(mongo, [submitted('gen_gone', 'no longer there', nowMs - 1_000)]);
    const { signal } = new AbortController();
    const poller = createPoller(deps, signal);
    await poller.pollDue(signal);
    await poller.drain();
    const gone = await mongo.database.generations.find('gen_gone');
    expect(gone?.attempts[0]?.fault).toBe('no response');
  });
});
