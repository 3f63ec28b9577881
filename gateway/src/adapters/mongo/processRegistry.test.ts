import { expect, test } from 'vitest';
import type { Collections } from './collections.ts';
import { joinProcesses } from './processRegistry.ts';

test('lists of sessions are written one after the other, so that none overtakes a newer one', async () => {
  const lists: unknown[][] = [];
  let answered: Promise<unknown> = Promise.resolve();
  const processes = {
    find: () => ({ toArray: async () => [] }),
    countDocuments: async () => 1,
    deleteOne: async () => undefined,
    findOneAndUpdate: async (_filter: unknown, [stage]: [{ $set: { sessions: unknown[] } }]) => {
      lists.push(stage.$set.sessions);
      await answered;
    },
  };
  const registry = await joinProcesses({
    db: {} as never,
    collections: { processes } as unknown as Collections,
    clock: { now: () => 0, monotonic: () => 0 } as never,
    log: { warn: () => undefined } as never,
    self: { id: 'proc_1', role: 'api' },
  });
  const { promise, resolve } = Promise.withResolvers<undefined>();
  answered = promise;
  const session = (name: string) => ({ id: { id: Buffer.from(name) } }) as never;
  const first = registry.noteSession(session('a'));
  await expect.poll(() => lists.length).toBe(2);
  const others = ['b', 'c'].map((name) => registry.noteSession(session(name)));
  expect(lists.length).toBe(2);
  resolve(undefined);
  await Promise.all([first, ...others]);
  // The two that came meanwhile share one write.
  expect(lists.map((list) => list.map(String))).toEqual([[], ['a'], ['a', 'b', 'c']]);
  await registry.stop();
});
