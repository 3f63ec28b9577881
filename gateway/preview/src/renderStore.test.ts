import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract/durations';
import { createRenderQueue } from './renderQueue.ts';
import { createRenderStore, type RenderStore } from './renderStore.ts';
import type { RenderSpec } from './spec.ts';

const spec: RenderSpec = {
  kind: 'image',
  prompt: 'a fox',
  seed: 1,
  width: 64,
  height: 64,
  inputs: [],
  count: 1,
  format: 'png',
};
const staleMs = 10_000;

let workDir: string;
let clock: number;
let store: RenderStore;

beforeEach(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'store-'));
  clock = Date.parse('2026-01-01T00:00:00Z');
  store = createRenderStore({ workDir, now: () => clock });
  await store.add('r1', spec, [{ name: 'input-0', data: Uint8Array.of(1) }]);
});

afterEach(async () => {
  await rm(workDir, { recursive: true, force: true });
});

describe('a lease', () => {
  test('is taken by exactly one of many', async () => {
    const leases = await Promise.all(Array.from({ length: 20 }, () => store.acquireLease('r1')));
    expect(leases.filter((lease) => lease !== null)).toHaveLength(1);
  });

  test('holds while it is renewed, and is taken over by exactly one when it is not', async () => {
    const lease = await store.acquireLease('r1');
    if (!lease) throw new Error('no lease');
    clock += staleMs - 1;
    expect(await store.acquireLease('r1')).toBeNull();
    await store.renewLease(lease);
    clock += staleMs - 1;
    expect(await store.acquireLease('r1')).toBeNull();
    clock += 1;
    const leases = await Promise.all(Array.from({ length: 20 }, () => store.acquireLease('r1')));
    const taken = leases.filter((other) => other !== null);
    expect(taken).toHaveLength(1);
    expect(taken[0]?.outputFolder).not.toBe(lease.outputFolder);
  });

  test('is free immediately after its release', async () => {
    const lease = await store.acquireLease('r1');
    if (!lease) throw new Error('no lease');
    await store.releaseLease(lease);
    expect(await store.isLeased('r1')).toBe(false);
    expect(await store.acquireLease('r1')).not.toBeNull();
  });

  test('leaves no drafts behind', async () => {
    await Promise.all([
      store.acquireLease('r1'),
      store.acquireLease('r1'),
      store.acquireLease('r1'),
    ]);
    expect((await readdir(join(workDir, 'r1'))).toSorted()).toEqual([
      'input-0',
      'lease-1',
      'out-1',
      'spec.json',
    ]);
  });

  test('is renewed by the queue for as long as the child runs', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date'] });
    try {
      const started = Promise.withResolvers<undefined>();
      const ending = Promise.withResolvers<{ kind: 'stopped' }>();
      const ignore = () => undefined;
      const queue = createRenderQueue({
        store,
        log: { info: ignore, warn: ignore, error: ignore },
        maxRenderMs: minuteMs,
        runChild: () => {
          started.resolve(undefined);
          return ending.promise;
        },
      });
      const outcome = queue.add('r1');
      await started.promise;
      for (let beat = 0; beat < 10; beat += 1) {
        clock += 2_000;
        jest.advanceTimersByTime(2_000);
        // The heartbeat is being written: the next poll must come after it.
        while (!(await store.isLeased('r1'))) await new Promise(setImmediate);
      }
      expect(await store.acquireLease('r1')).toBeNull();
      queue.cancel('r1');
      ending.resolve({ kind: 'stopped' });
      expect(await outcome).toBe('cancelled');
      expect(await store.isLeased('r1')).toBe(false);
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('a request', () => {
  test('is found only by its own id', async () => {
    expect(await store.has('r1')).toBe(true);
    for (const id of ['r2', '', '.', '..', '../store', 'r1/', './r1', '.new-r1', 'r1\0']) {
      expect(await store.has(id)).toBe(false);
    }
  });

  test('is not kept under an id that could lead elsewhere', async () => {
    await expect(store.add('../r2', spec, [])).rejects.toThrow('not an id');
  });

  test('has a result whose names stay in its folder', async () => {
    const lease = await store.acquireLease('r1');
    if (!lease) throw new Error('no lease');
    expect(await store.findResult('r1')).toBeNull();
    await store.finish(lease, { ok: true, files: ['../../../etc/passwd', 'video.mp4'] });
    expect(await store.findResult('r1')).toEqual({
      ok: true,
      files: [join('out-1', 'passwd'), join('out-1', 'video.mp4')],
    });
  });
});
