import { afterAll, expect, test } from '@jest/globals';
import { takeTestDatabase } from '../support/database.ts';
import { everyEvent, runModel } from './runModel.ts';

const database = takeTestDatabase();
afterAll(() => database.drop());

// The suite `faults` plays more steps.
test('creates, replays, polls, verdicts, deadlines, crashes and healing match the reference', async () => {
  const { met } = await runModel({ uri: database.uri, steps: 600, seed: 1 });
  expect(Object.keys(met).toSorted()).toEqual(everyEvent);
}, 240_000);
