import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GrowthWorld, openGrowthWorld } from './growthWorld.ts';
import { isTooMuch, recordStatements } from './statements.ts';

let world: GrowthWorld;
beforeAll(async () => {
  const size = { generations: 3_000, accounts: 300, largest: 1_500 };
  world = await openGrowthWorld(size, { upkeepEveryMs: 200 });
});
afterAll(async () => {
  await world.stop();
  expect(world.gateway.errors).toEqual([]);
});

test('recurring queries examine only the documents that they return, at most a page', async () => {
  const statements = await recordStatements(world.gateway, world.paths);
  expect(new Set(statements.map(({ path }) => path)).size).toBe(world.paths.length);
  expect(statements.filter(isTooMuch)).toEqual([]);
});
