import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { shareCalls, shareTimers, type SharingLimits } from './sharing.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Shared calls that end on command, and the items of each. */
function scripted(size: SharingLimits) {
  const calls: { items: readonly number[]; end: () => void; fail: (error: Error) => void }[] = [];
  const double = shareCalls<number, number>(size, (items) => {
    const { promise, resolve, reject } = Promise.withResolvers<number[]>();
    calls.push({ items, end: () => resolve(items.map((item) => 2 * item)), fail: reject });
    return promise;
  });
  const begun = () => calls.map(({ items }) => items);
  return { double, calls, begun };
}

describe('a shared call', () => {
  test('takes the items of one turn, then those that arrived meanwhile, up to its size', async () => {
    const { double, calls, begun } = scripted({ maxItems: 2, maxCalls: 1 });
    const results = [1, 2, 3].map((item) => double(item));
    await settled();
    const later = [4, 5].map((item) => double(item));
    expect(begun()).toEqual([[1, 2]]);
    calls[0]?.end();
    expect(await Promise.all(results.slice(0, 2))).toEqual([2, 4]);
    await settled();
    expect(begun()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    calls[1]?.end();
    await settled();
    await settled();
    calls[2]?.end();
    expect(await Promise.all([...results, ...later])).toEqual([2, 4, 6, 8, 10]);
  });

  test('that is stuck does not hold up the others', async () => {
    const { double, calls, begun } = scripted({ maxItems: 1, maxCalls: 2 });
    const [, second] = [double(1), double(2)];
    await settled();
    calls[1]?.end();
    expect(await second).toBe(4);
    void double(3);
    await settled();
    await settled();
    expect(begun()).toEqual([[1], [2], [3]]);
  });

  test('that fails fails for its items alone', async () => {
    const { double, calls } = scripted({ maxItems: 2, maxCalls: 1 });
    const results = Promise.allSettled([1, 2].map((item) => double(item)));
    await settled();
    const next = double(3);
    calls[0]?.fail(new Error('away'));
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await settled();
    calls[1]?.end();
    expect(await next).toBe(6);
  });
});

describe('a shared call next to another', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
  afterEach(() => void jest.useRealTimers());
  const size = { maxItems: 10, maxCalls: 2, minForAnother: 3, slowMs: 10 };

  test('begins once enough items wait', async () => {
    const { double, begun, calls } = scripted(size);
    void double(1);
    await settled();
    for (const item of [2, 3]) void double(item);
    await settled();
    expect(begun()).toEqual([[1]]);
    for (const item of [4, 5]) void double(item);
    await settled();
    for (const item of [6, 7, 8]) void double(item);
    await settled();
    expect(begun()).toEqual([[1], [2, 3, 4, 5]]);
    calls[0]?.end();
    await settled();
    await settled();
    expect(begun()).toEqual([[1], [2, 3, 4, 5], [6, 7, 8]]);
  });

  test('begins for a single item once the other one is slow', async () => {
    const { double, calls, begun } = scripted(size);
    const slow = double(1);
    await settled();
    const quick = double(2);
    await settled();
    expect(begun()).toEqual([[1]]);
    jest.advanceTimersByTime(10);
    await settled();
    calls[1]?.end();
    expect(await quick).toBe(4);
    calls[0]?.end();
    expect(await slow).toBe(2);
    void double(3);
    await settled();
    void double(4);
    await settled();
    expect(begun()).toEqual([[1], [2], [3]]);
  });
});

describe('a shared timer', () => {
  /** End of its first tick, 50 ms from now. */
  const firstTick = () => process.uptime() * 1000 + 50;

  test('ends for its items together, outside their contexts', async () => {
    const context = new AsyncLocalStorage<string>();
    const ended = Promise.withResolvers<unknown>();
    const timers = shareTimers<string>(firstTick(), (items) =>
      ended.resolve([items, context.getStore()]),
    );
    context.run('of a', () => timers.add('a', -1));
    context.run('of b', () => timers.add('b', 1));
    expect(await ended.promise).toEqual([['a', 'b'], undefined]);
  });

  test('that is cleared does not end', async () => {
    const ended: string[] = [];
    const cleared = shareTimers<string>(firstTick(), (items) => ended.push(...items));
    cleared.add('a', 0);
    cleared.clear();
    const last = Promise.withResolvers<unknown>();
    shareTimers<string>(firstTick(), last.resolve).add('b', 0);
    await last.promise;
    expect(ended).toEqual([]);
  });
});
