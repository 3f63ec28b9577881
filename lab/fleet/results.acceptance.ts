import { expect, test } from '@jest/globals';
import { createChance } from '../../test/faults/chance.ts';
import { checkWorld, untilAllEnded } from '../../test/faults/checkWorld.ts';
import { makeOrder } from '../../test/faults/orders.ts';
import { useFaultWorld } from '../../test/faults/useFaultWorld.ts';
import { createAll } from './createAll.ts';

const opened = useFaultWorld();

const count = 100;

test('two workers deliver every image that the provider made for one busy account', async () => {
  const world = opened();
  const apis = await Promise.all([world.start({ ROLE: 'api' }), world.start({ ROLE: 'api' })]);
  await Promise.all([world.start({ ROLE: 'worker' }), world.start({ ROLE: 'worker' })]);
  const origins = apis.map(({ origin }) => origin);
  const account = await world.addAccount(1_000_000);
  const parts = { chance: createChance(1), inputs: world.inputs, ownPicture: '' };
  const orders = Array.from({ length: count }, (_, number) =>
    makeOrder('image', `picture ${number}.`, parts),
  );
  const histories = await createAll(origins, account, orders, 16);
  await untilAllEnded(world, 240_000);
  const failed = await world.mongo.collections.generations.find({ status: 'failed' }).toArray();
  expect(failed.map(({ failure, attempts }) => ({ failure, attempts }))).toEqual([]);
  expect(await checkWorld(world, origins[0] ?? '', histories)).toEqual([]);
}, 400_000);
