import { expect, test } from '@jest/globals';
import { createCachedReads } from './cachedReads.ts';

/** Answers with the number of the read; each response is cached for 10 ms after its end. */
function cachedReads() {
  const state = { nowMs: 0, reads: 0, isBroken: false };
  const get = createCachedReads(
    { now: () => state.nowMs },
    {
      max: 2,
      cachedUntil: (_key, _startedAt, endedAt) => endedAt + 10,
      async read() {
        state.reads += 1;
        if (state.isBroken) throw new Error('the database is away');
        return state.reads;
      },
    },
  );
  return { state, get };
}

test('a response is read once while it is cached, also for concurrent callers', async () => {
  const { state, get } = cachedReads();
  expect(await Promise.all([get('a'), get('a')])).toEqual([1, 1]);
  state.nowMs = 9;
  expect(await get('a')).toBe(1);
  state.nowMs = 10;
  expect(await get('a')).toBe(2);
});

test('a read that fails is not cached', async () => {
  const { state, get } = cachedReads();
  state.isBroken = true;
  await expect(get('a')).rejects.toThrow('away');
  state.isBroken = false;
  expect(await get('a')).toBe(2);
});

test('the oldest response is forgotten beyond the bound', async () => {
  const { get } = cachedReads();
  for (const key of ['a', 'b', 'c']) await get(key);
  expect([await get('c'), await get('b'), await get('a')]).toEqual([3, 2, 4]);
});
