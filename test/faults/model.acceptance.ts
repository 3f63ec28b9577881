import { afterAll, expect, test } from '@jest/globals';
import { everyEvent, runModel } from '../properties/runModel.ts';
import { createTestDatabase } from '../support/database.ts';

const database = createTestDatabase();
afterAll(() => database.drop());

test('1,200 steps of clients, time, crashes and healing match the reference', async () => {
  const { met } = await runModel({ uri: database.uri, steps: 1_200, seed: 20_261_121 });
  expect(Object.keys(met).toSorted()).toEqual(everyEvent);
}, 600_000);
