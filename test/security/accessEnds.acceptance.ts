import { expect, test } from '@jest/globals';
import { playWorlds } from './support/playWorlds.ts';

/* More worlds of accessEnds.test.ts: ACCESS_WORLDS says how many, ACCESS_SEED repeats some. */

const worlds = Number(process.env['ACCESS_WORLDS'] ?? 120);
const seed = Number(process.env['ACCESS_SEED'] ?? Date.now() % 1_000_000);

test(`${worlds} random worlds have nothing left over (seed ${seed})`, async () => {
  expect(await playWorlds(worlds, seed)).toEqual([]);
});
