import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { runModel } from './runModel.ts';

const database = createTestDatabase();
afterAll(() => database.drop());

test('creates, replays, polls, verdicts, deadlines, crashes and healing go as the reference says', async () => {
  const { steps, met } = await runModel({ uri: database.uri, steps: 2_000, seed: 20_261_121 });
  expect(steps).toBeGreaterThanOrEqual(2_000);
  // Whatever can happen did happen: a test that meets nothing proves nothing.
  expect(Object.keys(met).toSorted()).toEqual([
    ...['capacity_exceeded', 'completed', 'concurrency_limited', 'death', 'generation_failed'],
    ...['generation_timeout', 'insufficient_credits', 'output_rejected', 'replay'],
  ]);
}, 240_000);
