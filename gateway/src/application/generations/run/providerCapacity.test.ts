import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sum } from '@framegate/contract';
import type { SlotLimit, SlotStore } from '../../ports/upkeep.ts';
import { createProviderCapacity } from './providerCapacity.ts';

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const slotLimit = (max: number): SlotLimit => ({ key: 'p', kind: 'provider', max });

/** A provider with `used` generations, as the database would report it. */
function startProvider({ used = 0, pass = async () => {} } = {}) {
  const state = { used, reserves: 0, nowMs: 0, lastAccount: '' };
  const reserved = new Map<string, number>();
  const slots: SlotStore = {
    async reserve({ max }, wanted) {
      await pass();
      state.reserves += 1;
      const free = max - state.used - sum([...reserved.values()]);
      const [token, count] = [`token ${state.reserves}`, Math.min(free, wanted(free))];
      if (free > 0) reserved.set(token, count);
      await pass();
      return free > 0 ? { token, count, lastAccount: state.lastAccount, interval: '0' } : null;
    },
    async release(_, { token }, { lastAccount = state.lastAccount } = {}) {
      await pass();
      reserved.delete(token);
      state.lastAccount = lastAccount;
    },
  };
  const enter = async () => {
    await pass();
    state.used += 1;
    return true;
  };
  const clock = { now: () => state.nowMs, skewMs: () => 0, wrongClock: () => null };
  const newCapacity = () => createProviderCapacity(slots, clock, log);
  return { state, reserved, enter, newCapacity, capacity: newCapacity() };
}

describe('the room of a provider', () => {
  test('is never overfilled by several processes, and one process can fill it to the last slot', async () => {
    const numbers = fc.tuple(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 0, max: 80 }),
      fc.integer({ min: 1, max: 3 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), numbers, async (scheduler, [max, wanted, processes]) => {
        const pass = () => scheduler.schedule(Promise.resolve());
        const { state, enter, newCapacity } = startProvider({ pass });
        const capacities = Array.from({ length: processes }, newCapacity);
        const all = Promise.all(
          Array.from({ length: wanted }, async (_, index) =>
            capacities[index % processes]?.enter(slotLimit(max), enter),
          ),
        );
        const entered = (await scheduler.waitFor(all)).filter(Boolean);
        expect(state.used).toBe(entered.length);
        expect(entered.length).toBeLessThanOrEqual(max);
        if (processes === 1) expect(entered).toHaveLength(Math.min(max, wanted));
      }),
    );
  });

  test('is reserved once for simultaneous requests, and for a tenth of the free slots', async () => {
    const { state, enter, capacity } = startProvider({ used: 200 });
    await Promise.all(Array.from({ length: 80 }, () => capacity.enter(slotLimit(1_000), enter)));
    expect(state.reserves).toBe(1);
    for (let i = 0; i < 10; i += 1) await capacity.enter(slotLimit(1_000), enter);
    expect(state.reserves).toBe(2);
  });

  test('is reserved again after a second, and unused slots are returned', async () => {
    const { state, enter, capacity, reserved } = startProvider();
    await capacity.enter(slotLimit(1_000), enter);
    expect([...reserved.values()]).toEqual([100]);
    state.used = 1_000;
    state.nowMs = 1_001;
    expect(await capacity.enter(slotLimit(1_000), enter)).toBe(false);
    expect(state.used).toBe(1_000);
    expect(reserved.size).toBe(0);
  });

  test('continues after a failed entry', async () => {
    const { enter, capacity } = startProvider();
    const failing = capacity.enter(slotLimit(1), () => Promise.reject(new Error('not written')));
    await expect(failing).rejects.toThrow('not written');
    expect(await capacity.enter(slotLimit(1), enter)).toBe(true);
  });

  test('without a limit is never counted', async () => {
    const { state, enter, capacity } = startProvider({ used: 5_000 });
    expect(await capacity.enter(slotLimit(Infinity), enter)).toBe(true);
    expect(state.reserves).toBe(0);
  });

  test('is assigned slot by slot, in turn between accounts, in one round at a time', async () => {
    const { state, capacity } = startProvider({ used: 17 });
    const given: string[] = [];
    const give = async (afterAccount: string) => {
      state.used += 1;
      given.push(afterAccount);
      return `after ${afterAccount}`;
    };
    await Promise.all(Array.from({ length: 25 }, () => capacity.fill([slotLimit(20)], give)));
    expect(state.used).toBe(20);
    expect(given).toEqual(['', 'after ', 'after after ']);
    expect(state.reserves).toBeLessThanOrEqual(5);
  });
});
