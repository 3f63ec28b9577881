import { expect, test } from '@jest/globals';
import { accessEnds } from '../../gateway/src/domain/signIn/accessEnds.ts';
import { playWorlds } from './support/playWorlds.ts';

const seed = Date.now() % 1_000_000;

test(`after each act of the inventory, every access is as stated (seed ${seed})`, async () => {
  expect(await playWorlds(Object.keys(accessEnds).length, seed)).toEqual([]);
}, 300_000);
