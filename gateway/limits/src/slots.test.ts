import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createKeyedLimiter, createSlots, type KindOfWork, NoFreeSlotError } from './slots.ts';

const never = new AbortController().signal;

/** A limiter whose work ends on command, and the order in which it began. */
function scripted(size: { maxInAll: number; maxPerKey: number }) {
  const limiter = createKeyedLimiter(size);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string, signal = never) =>
    limiter.run(
      name.charAt(0),
      () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      },
      signal,
    );
  const end = async (name: string) => {
    ends.get(name)?.();
    await settled();
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { run, end, begun, settled, waiting: () => limiter.waiting };
}

describe('a keyed limiter', () => {
  test('never gives a key more than its own slots, however much of its work waits', async () => {
    const { run, begun, settled, end } = scripted({ maxInAll: 2, maxPerKey: 1 });
    for (const name of ['a1', 'a2', 'a3', 'b1']) void run(name);
    await settled();
    expect(begun).toEqual(['a1', 'b1']);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'b1', 'a2']);
  });

  test('keys take turns, and a late key does not wait for all earlier work', async () => {
    const { run, begun, end, settled } = scripted({ maxInAll: 1, maxPerKey: 1 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1']) void run(name);
    await settled();
    for (const name of ['a1', 'b1', 'c1', 'a2', 'a3']) await end(name);
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'a3', 'a4']);
  });

  test('work aborted while waiting leaves its turn to the next', async () => {
    const { run, begun, end, settled } = scripted({ maxInAll: 1, maxPerKey: 1 });
    const stop = new AbortController();
    void run('a1');
    const aborted = run('b1', stop.signal);
    void run('c1');
    stop.abort(new Error('no longer wanted'));
    await expect(aborted).rejects.toThrow('no longer wanted');
    await settled();
    await end('a1');
    expect(begun).toEqual(['a1', 'c1']);
    await expect(run('d1', stop.signal)).rejects.toThrow('no longer wanted');
  });

  test('counts waiting work, without aborted work', async () => {
    const { run, end, settled, waiting } = scripted({ maxInAll: 1, maxPerKey: 1 });
    const stop = new AbortController();
    for (const name of ['a1', 'a2', 'b1']) void run(name);
    const aborted = run('c1', stop.signal);
    await settled();
    expect(waiting()).toBe(3);
    stop.abort(new Error('no longer wanted'));
    await expect(aborted).rejects.toThrow('no longer wanted');
    await settled();
    expect(waiting()).toBe(2);
    for (const name of ['a1', 'b1', 'a2']) await end(name);
    expect(waiting()).toBe(0);
  });

  test('failed work returns its slot', async () => {
    const limiter = createKeyedLimiter({ maxInAll: 1, maxPerKey: 1 });
    const failing = limiter.run('a', () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    await expect(limiter.run('a', async () => 'done')).resolves.toBe('done');
  });

  test('limits how many wait for one key: the next is refused, and other keys are free', async () => {
    const refuse = () => new Error('too many wait');
    const limiter = createKeyedLimiter({ maxPerKey: 1, queue: { max: 2, refuse } });
    const first = Promise.withResolvers<string>();
    const begun: string[] = [];
    const ask = (name: string) =>
      limiter.run('one key', async (waited) => {
        begun.push(`${name} ${waited ? 'waited' : 'at once'}`);
        return name === 'a' ? first.promise : name;
      });
    const asked = ['a', 'b', 'c'].map(ask);
    await expect(ask('d')).rejects.toThrow('too many wait');
    expect(await limiter.run('another key', async () => 'x')).toBe('x');
    first.resolve('a');
    expect(await Promise.all(asked)).toEqual(['a', 'b', 'c']);
    expect(begun).toEqual(['a at once', 'b waited', 'c waited']);
    expect(await ask('e')).toBe('e');
    expect(begun.at(-1)).toBe('e at once');
  });
});

describe('slots by kind', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }));
  afterEach(() => void jest.useRealTimers());

  const usual: KindOfWork = {
    maxPerCaller: 2,
    maxInAll: 3,
    maxWaitingPerCaller: 5,
    maxWaiting: 10,
    maxWaitMs: 1_000,
    rank: 1,
    minGapMs: 20,
  };
  const kinds = {
    api: { ...usual, rank: 0, minGapMs: 0, maxInAll: 1 },
    page: usual,
    wait: { ...usual, maxWaitingPerCaller: 0, rank: 2, minGapMs: 0 },
  };

  /** Slots, the order in which work began, and a way to end it. */
  function open() {
    const slots = createSlots(kinds);
    const log: string[] = [];
    const ask = (kind: keyof typeof kinds, name: string, signal = never) => {
      const caller = [{ group: name.charAt(0), times: 1 }] as const;
      const slot = slots.enter(kind, caller, signal);
      slot.then(
        () => log.push(name),
        (error: unknown) =>
          log.push(
            `${name}: ${error instanceof NoFreeSlotError ? 'none' : (error as Error).message}`,
          ),
      );
      return {
        async leave() {
          (await slot).leave();
          await passes(0);
        },
      };
    };
    return { slots, log, ask };
  }
  const passes = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  test('a kind begins only at intervals while one of a lower rank runs, and immediately otherwise', async () => {
    const { log, ask } = open();
    const api = ask('api', 'x');
    const pages = ['a1', 'b1', 'c1'].map((name) => ask('page', name));
    await passes(0);
    expect(log).toEqual(['x', 'a1']);
    await passes(19);
    expect(log).toEqual(['x', 'a1']);
    await passes(1);
    expect(log).toEqual(['x', 'a1', 'b1']);
    await api.leave();
    // It has just been in use: more of it is likely to come.
    expect(log).toEqual(['x', 'a1', 'b1']);
    await passes(20);
    expect(log).toEqual(['x', 'a1', 'b1', 'c1']);
    // Waiting for a slot of its own kind holds no other kind back.
    const next = ask('api', 'y');
    ask('api', 'z');
    await passes(0);
    await next.leave();
    expect(log.slice(4)).toEqual(['y', 'z']);
    for (const page of pages) await page.leave();
  });

  test('consecutive work begins when the previous work has ended, or after the gap', async () => {
    const slots = createSlots({ ...kinds, page: { ...usual, followsAtOnce: true } });
    const begun: string[] = [];
    const ask = async (kind: keyof typeof kinds, name: string) => {
      const slot = await slots.enter(kind, [{ group: name, times: 1 }]);
      begun.push(name);
      return slot;
    };
    const api = await ask('api', 'x');
    const [first, ...others] = ['a', 'b', 'c'].map((name) => ask('page', name));
    await passes(0);
    expect(begun).toEqual(['x', 'a']);
    (await first)?.leave();
    await passes(0);
    expect(begun).toEqual(['x', 'a', 'b']);
    await passes(20);
    expect(begun).toEqual(['x', 'a', 'b', 'c']);
    api.leave();
    for (const page of others) (await page).leave();
    // Long after the last request of the API, nothing holds pages up.
    await passes(100);
    await Promise.all(['d', 'e', 'f'].map((name) => ask('page', name)));
    expect(begun.slice(4)).toEqual(['d', 'e', 'f']);
  });

  test('a caller without a slot in time is refused, one that leaves makes room, and each slot is returned once', async () => {
    const { slots, log, ask } = open();
    const [first] = ['a1', 'a2'].map((name) => ask('page', name));
    const gone = new AbortController();
    ask('page', 'a3', gone.signal);
    ask('page', 'a4');
    ask('page', 'b1');
    ask('page', 'c1');
    await passes(0);
    gone.abort(new Error('gone'));
    await passes(0);
    expect(log).toEqual(['a1', 'a2', 'b1', 'a3: gone']);
    await first?.leave();
    await first?.leave();
    // A second call released nothing.
    expect(slots.count('page')).toEqual({ working: 3, waiting: 1 });
    await passes(1_000);
    expect(log.slice(4)).toEqual(['c1', 'a4: none']);
    await expect(slots.enter('page', [{ group: 'd', times: 1 }], gone.signal)).rejects.toThrow(
      'gone',
    );
  });

  test('a caller beyond its queue is refused immediately, and work that takes only a free slot never waits', async () => {
    const { slots, log, ask } = open();
    for (let count = 0; count < 8; count += 1) ask('page', `a${count}`);
    await passes(0);
    expect(log).toEqual(['a0', 'a1', 'a7: none']);
    await passes(1_000);
    expect(log.slice(3)).toEqual(['a2', 'a3', 'a4', 'a5', 'a6'].map((name) => `${name}: none`));
    const a = [{ group: 'a', times: 1 }] as const;
    const held = [slots.tryEnter('wait', a), slots.tryEnter('wait', a)];
    expect(slots.tryEnter('wait', a)).toBeNull();
    held[0]?.leave();
    expect(slots.tryEnter('wait', a)).not.toBeNull();
    expect(slots.count('wait')).toEqual({ working: 2, waiting: 0 });
  });
});
