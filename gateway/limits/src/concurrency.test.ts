import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createKeyedLimiter, whileHeard } from './concurrency.ts';

const never = new AbortController().signal;

/** A limiter whose work ends on command, and the order in which it began. */
function scripted(size: { places: number; perKey: number }) {
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
  test('never gives a key more than its own places, however much of its work waits', async () => {
    const { run, begun, settled, end } = scripted({ places: 2, perKey: 1 });
    for (const name of ['a1', 'a2', 'a3', 'b1']) void run(name);
    await settled();
    expect(begun).toEqual(['a1', 'b1']);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'b1', 'a2']);
  });

  test('keys take turns, and a late key does not wait for all earlier work', async () => {
    const { run, begun, end, settled } = scripted({ places: 1, perKey: 1 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1']) void run(name);
    await settled();
    for (const name of ['a1', 'b1', 'c1', 'a2', 'a3']) await end(name);
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'a3', 'a4']);
  });

  test('work aborted while waiting leaves its turn to the next', async () => {
    const { run, begun, end, settled } = scripted({ places: 1, perKey: 1 });
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

  test('tells how much work waits, without what was aborted', async () => {
    const { run, end, settled, waiting } = scripted({ places: 1, perKey: 1 });
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

  test('failed work gives its place back', async () => {
    const limiter = createKeyedLimiter({ places: 1, perKey: 1 });
    const failing = limiter.run('a', () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    await expect(limiter.run('a', async () => 'done')).resolves.toBe('done');
  });

  test('limits how many wait for one key: the next is refused, and other keys are free', async () => {
    const refuse = () => new Error('too many wait');
    const limiter = createKeyedLimiter({ perKey: 1, queue: { max: 2, refuse } });
    const first = Promise.withResolvers<string>();
    const order: string[] = [];
    const ask = (name: string) =>
      limiter.run('one key', async (waited) => {
        order.push(`${name} ${waited ? 'waited' : 'at once'}`);
        return name === 'a' ? first.promise : name;
      });
    const asked = ['a', 'b', 'c'].map(ask);
    await expect(ask('d')).rejects.toThrow('too many wait');
    expect(await limiter.run('another key', async () => 'x')).toBe('x');
    first.resolve('a');
    expect(await Promise.all(asked)).toEqual(['a', 'b', 'c']);
    expect(order).toEqual(['a at once', 'b waited', 'c waited']);
    expect(await ask('e')).toBe('e');
    expect(order.at(-1)).toBe('e at once');
  });
});

describe('work that is heard', () => {
  const limits = { silenceMs: 1_000, minBytesPerSecond: 1_000 };
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** Receives so many bytes every 900 ms, `times` times, and ends; or never ends. */
  const receive = (bytes: number, times: number, ends: boolean) =>
    whileHeard(limits, never, async (signal, heard) => {
      const silent = Promise.withResolvers<never>();
      signal.addEventListener('abort', () => silent.reject(signal.reason));
      for (let i = 0; i < times; i += 1) {
        await Promise.race([new Promise((resolve) => setTimeout(resolve, 900)), silent.promise]);
        heard(bytes);
      }
      return ends ? 'whole' : silent.promise;
    }).catch((error: unknown) => (error as Error).name);

  test('may take as long as its bytes need', async () => {
    const received = receive(2_000, 50, true);
    await jest.advanceTimersByTimeAsync(46_000);
    await expect(received).resolves.toBe('whole');
  });

  test('ends after a silence, or when its bytes come too slowly', async () => {
    const all = [receive(2_000, 3, false), receive(1, 50, true)];
    await jest.advanceTimersByTimeAsync(46_000);
    await expect(Promise.all(all)).resolves.toEqual(['TimeoutError', 'TimeoutError']);
  });
});
