import { afterAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { createTestDatabase } from '../support/database.ts';

const database = createTestDatabase();
const client = new MongoClient(database.uri);

afterAll(async () => {
  await client.close();
  await database.drop();
});

test('a test file has a database of its own on a replica set that takes transactions', async () => {
  const session = client.startSession();
  const things = client.db().collection('things');
  await session.withTransaction(() => things.insertOne({ a: 1 }, { session }));
  await session.endSession();
  expect(client.db().databaseName).toBe(database.name);
  expect(await things.countDocuments()).toBe(1);
});
