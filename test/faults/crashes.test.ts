import { afterAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase } from '../support/database.ts';
import { faultPoints as points, runCrashRounds } from './crashRounds.ts';

const database = createTestDatabase();
afterAll(() => database.drop());

describe('gateway processes killed while clients repeat their requests', () => {
  test('at every labelled step nothing is lost, and nothing charged or refunded twice', async () => {
    const report = await runCrashRounds({
      ...{ uri: database.uri, seed: 20_261_121, rounds: points.length, points },
      ...{ processes: 2, clients: 3, checkEvery: points.length },
    });
    expect(report.wrong).toEqual([]);
    expect(report.kills).toEqual(Object.fromEntries(points.map((point) => [point, 1])));
    expect(report.completed + report.failed).toBe(report.generations);
  }, 240_000);
});
