import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createProviderRoom } from './providerRoom.ts';

/** A provider that `used` generations are with, as the database would know it. */
function startProvider({ used = 0 } = {}) {
  const state = { used, counts: 0, nowMs: 0 };
  const count = async () => {
    state.counts += 1;
    return new Map([['p', state.used]]);
  };
  const enter = async () => {
    state.used += 1;
    return true;
  };
  const clock = { now: () => state.nowMs, skewMs: () => 0 };
  return { state, count, enter, room: createProviderRoom(count, clock) };
}

describe('the room of a provider', () => {
  test('is filled to the last place and never beyond, however slow counts and writes are', async () => {
    const numbers = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 80 }));
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), numbers, async (scheduler, [atMost, wanted]) => {
        const { state, count, enter } = startProvider();
        const pass = () => scheduler.schedule(Promise.resolve());
        const slowEnter = () => pass().then(enter);
        const room = createProviderRoom(() => pass().then(count), {
          now: () => 0,
          skewMs: () => 0,
        });
        const all = Promise.all(Array.from({ length: wanted }, () => room('p', atMost, slowEnter)));
        const entered = (await scheduler.waitFor(all)).filter(Boolean);
        expect(entered).toHaveLength(Math.min(atMost, wanted));
        expect(state.used).toBe(entered.length);
      }),
    );
  });

  test('is counted once for a tenth of what is free', async () => {
    const { state, enter, room } = startProvider({ used: 200 });
    await Promise.all(Array.from({ length: 80 }, () => room('p', 1_000, enter)));
    expect(state.counts).toBe(1);
    await room('p', 1_000, enter);
    expect(state.counts).toBe(2);
  });

  test('is counted again after a second: others fill it too', async () => {
    const { state, enter, room } = startProvider();
    await room('p', 1_000, enter);
    state.used = 1_000;
    state.nowMs = 1_001;
    expect(await room('p', 1_000, enter)).toBe(false);
    expect(state.used).toBe(1_000);
  });

  test('goes on after an entry that failed', async () => {
    const { enter, room } = startProvider();
    const failing = room('p', 1, () => Promise.reject(new Error('not written')));
    await expect(failing).rejects.toThrow('not written');
    expect(await room('p', 1, enter)).toBe(true);
  });

  test('without an end is never counted', async () => {
    const { state, enter, room } = startProvider({ used: 5_000 });
    expect(await room('p', Infinity, enter)).toBe(true);
    expect(state.counts).toBe(0);
  });
});
