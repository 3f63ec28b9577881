import { expect, test } from '@jest/globals';
import { accessEnds } from '../../gateway/src/domain/signIn/accessEnds.ts';
import { playWorlds } from './support/playWorlds.ts';

/* More worlds of accessEnds.test.ts: ACCESS_WORLDS sets their number, ACCESS_SEED repeats some. */

/** Worlds of one test, one of each act, so that a busy machine needs no longer limit for many. */
const together = Object.keys(accessEnds).length;
const worlds = Number(process.env['ACCESS_WORLDS'] ?? 34);
const first = Number(process.env['ACCESS_SEED'] ?? Date.now() % 1_000_000);
const seeds = Array.from({ length: Math.ceil(worlds / together) }, (_each, index) => first + index);

test.each(seeds)('the random worlds of seed %i have nothing left over', async (seed) => {
  expect(await playWorlds(together, seed)).toEqual([]);
});
