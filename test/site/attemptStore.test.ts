import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import {
  connectMongo,
  type MongoConnection,
} from '../../gateway/src/adapters/mongo/connectMongo.ts';
import { createAttemptStore } from '../../gateway/src/adapters/mongo/signIn/attemptStore.ts';
import { takeTestDatabase } from '../support/database.ts';
import { collectLog } from '../support/mongod.ts';
import { profile } from '../support/profile.ts';

const database = takeTestDatabase();
let mongo: MongoConnection;

beforeAll(async () => {
  const self = { id: 'attempts', role: 'api' } as const;
  mongo = await connectMongo({ uri: database.uri, log: collectLog().log, self });
});
afterAll(async () => {
  await mongo.close();
  await database.drop();
});

test('simultaneous attempts share a write, and each learns its own count', async () => {
  const store = createAttemptStore(mongo.collections);
  let counts: number[] = [];
  const written = await profile(mongo.db, ['attempts'], async () => {
    const calls = Array.from({ length: 40 }, (_, index) =>
      store.count('one', minuteMs, index === 39 ? 3 : 1),
    );
    counts = (await Promise.all(calls)).map(({ count }) => count);
  });
  expect(counts).toEqual([...Array.from({ length: 39 }, (_, index) => index + 1), 42]);
  expect(written.length).toBeLessThanOrEqual(2);
  expect(await store.count('one', minuteMs)).toMatchObject({ count: 43 });
});

test('a count begun by a clock far ahead has ended', async () => {
  const store = createAttemptStore(mongo.collections);
  await store.count('ahead', minuteMs, 50);
  const endsAt = new Date(mongo.clock.now() + 20 * minuteMs);
  await mongo.collections.attempts.updateOne({ _id: 'ahead' }, { $set: { endsAt } });
  expect(await store.count('ahead', minuteMs)).toMatchObject({ count: 1 });
});

test('a name is counted again after its reset, and names are counted separately', async () => {
  const store = createAttemptStore(mongo.collections);
  await Promise.all([store.count('cleared', minuteMs), store.count('other', minuteMs)]);
  await store.clear('cleared');
  expect(await store.count('cleared', minuteMs)).toMatchObject({ count: 1 });
  expect(await store.count('other', minuteMs)).toMatchObject({ count: 2 });
});
