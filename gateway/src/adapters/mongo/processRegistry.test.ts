import { expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { until } from '../../../../test/support/until.ts';
import type { Collections } from './collections.ts';
import { joinProcesses } from './processRegistry.ts';

/** A clock that everyone trusts. */
const steady = {
  serverNow: () => 0,
  vote: () => 'agrees',
  judgeVotes: () => undefined,
  wrongClock: () => null,
};

test('lists of sessions are written one after the other, so that none overtakes a newer one', async () => {
  const lists: unknown[][] = [];
  let answered: Promise<unknown> = Promise.resolve();
  const processes = {
    find: () => ({ toArray: async () => [] }),
    deleteOne: async () => undefined,
    findOneAndUpdate: async (_filter: unknown, [stage]: [{ $set: { sessions: unknown[] } }]) => {
      lists.push(stage.$set.sessions);
      await answered;
    },
  };
  const registry = await joinProcesses({
    db: {} as never,
    collections: { processes } as unknown as Collections,
    clock: steady as never,
    log: { warn: () => undefined } as never,
    self: { id: 'proc_1', role: 'api' },
    checkSchema: async () => null,
  });
  const { promise, resolve } = Promise.withResolvers<undefined>();
  answered = promise;
  const session = (name: string) => ({ id: { id: Buffer.from(name) } }) as never;
  const first = registry.recordSession(session('a'));
  await until(() => lists.length === 2, 'the second list is on its way');
  const others = ['b', 'c'].map((name) => registry.recordSession(session(name)));
  expect(lists.length).toBe(2);
  resolve(undefined);
  await Promise.all([first, ...others]);
  // The two that came meanwhile share one write.
  expect(lists.map((list) => list.map(String))).toEqual([[], ['a'], ['a', 'b', 'c']]);
  await registry.stop();
});

test('a process joins although primaries step down while it starts', async () => {
  const troubles = ['findOneAndUpdate', 'find'];
  const failOnce = (name: string): void => {
    if (troubles[0] !== name) return;
    troubles.shift();
    // The server's own code for work that a step-down has cut off.
    throw new mongoose.mongo.MongoServerError({ code: 11602, message: 'interrupted' });
  };
  const processes = {
    find: () => ({
      toArray: async () => {
        failOnce('find');
        return ['api', 'all', 'worker', 'api'].map((role, index) => ({
          _id: `proc_${index}`,
          role,
          seenAt: new Date(0),
        }));
      },
    }),
    deleteOne: async () => undefined,
    findOneAndUpdate: async () => {
      failOnce('findOneAndUpdate');
      return null;
    },
  };
  const options = {
    db: {} as never,
    clock: steady as never,
    log: { warn: () => undefined } as never,
    self: { id: 'proc_1', role: 'api' } as const,
    checkSchema: async () => null,
  };
  const collections = { processes } as unknown as Collections;
  const registry = await joinProcesses({ ...options, collections });
  expect(troubles).toEqual([]);
  await registry.stop();
  const broken = { ...processes, findOneAndUpdate: () => Promise.reject(new Error('a bug')) };
  const joins = joinProcesses({ ...options, collections: { processes: broken } as never });
  await expect(joins).rejects.toThrow('a bug');
});
