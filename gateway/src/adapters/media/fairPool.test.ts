import { describe, expect, test } from '@jest/globals';
import { createFairPool } from './fairPool.ts';

const never = new AbortController().signal;

/** A pool whose works end when told to, and the order in which they began. */
function scripted(size: { places: number; perKey: number }) {
  const pool = createFairPool(size);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string, signal = never) =>
    pool.run(name.charAt(0), signal, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await settled();
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { run, end, begun, settled };
}

describe('a fair pool', () => {
  test('gives no key more than its own places, however many of its works wait', async () => {
    const { run, begun, settled, end } = scripted({ places: 2, perKey: 1 });
    for (const name of ['a1', 'a2', 'a3', 'b1']) void run(name);
    await settled();
    expect(begun).toEqual(['a1', 'b1']);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'b1', 'a2']);
  });

  test('keys take turns, and one that comes late does not wait for all that came before', async () => {
    const { run, begun, end, settled } = scripted({ places: 1, perKey: 1 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1']) void run(name);
    await settled();
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) await end(name);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4']);
  });

  test('a work that is aborted while it waits leaves its turn to the next', async () => {
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

  test('a work that fails gives its place back', async () => {
    const pool = createFairPool({ places: 1, perKey: 1 });
    const failing = pool.run('a', never, () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    await expect(pool.run('a', never, async () => 'done')).resolves.toBe('done');
  });
});
