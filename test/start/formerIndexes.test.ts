import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  connectMongo,
  type MongoConnection,
} from '../../gateway/src/adapters/mongo/connectMongo.ts';
import { migrate } from '../../gateway/src/adapters/mongo/migrate.ts';
import { createTestDatabase } from '../support/database.ts';
import { collectLog } from '../support/mongod.ts';

const database = createTestDatabase();
const { log, lines } = collectLog();
let mongo: MongoConnection;

beforeAll(async () => {
  const self = { id: 'start', role: 'worker' } as const;
  mongo = await connectMongo({ uri: database.uri, log, newClaim: () => 'claim', self });
});
afterAll(async () => {
  await mongo.close();
  await database.drop();
});

const names = async () => {
  const indexes = await mongo.collections.generations.indexes();
  return indexes.map(({ name = '' }) => name).toSorted();
};

test('a start drops the indexes of earlier versions by their names, and no others', async () => {
  await mongo.migrate();
  const wanted = await names();
  const open = { partialFilterExpression: { open: true } };
  await mongo.collections.generations.createIndexes([
    { name: 'unknownOutcome', key: { endedAt: -1 }, ...open },
    { name: 'refunded', key: { endedAt: -1, costCredits: 1 }, ...open },
    { name: "an operator's own", key: { callerAddress: 1 } },
  ]);
  await Promise.all([mongo.migrate(), mongo.migrate()]);
  expect(await names()).toEqual([...wanted, "an operator's own"].toSorted());
  expect(lines).toEqual([]);
});

test('and goes on when one cannot be dropped', async () => {
  const { collections } = mongo;
  await collections.generations.createIndexes([{ name: 'unknownOutcome', key: { endedAt: -1 } }]);
  const refusing = new Proxy(collections.generations, {
    get(target, name) {
      if (name === 'dropIndex') {
        return async (index: string) => {
          if (index === 'unknownOutcome') throw new Error('an index is being built');
          return target.dropIndex(index);
        };
      }
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  lines.length = 0;
  await migrate({ ...collections, generations: refusing }, log);
  expect(lines).toEqual(['an unused index could not be dropped']);
  await mongo.migrate();
  expect(await names()).not.toContain('unknownOutcome');
});
