import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { checkWorld, untilAllEnded } from '../../test/faults/checkWorld.ts';
import { clipOrder, type Order } from '../../test/faults/orders.ts';
import { image } from '../../test/support/bodies.ts';
import { until } from '../../test/support/until.ts';
import { createAll } from './createAll.ts';
import { type FleetWorld, openFleetWorld } from './fleetWorld.ts';

let world: FleetWorld;
beforeAll(async () => {
  world = await openFleetWorld();
}, 5 * minuteMs);
afterAll(() => world.close(), minuteMs);

const count = 10;

test('results wait for an S3 server that accepts connections without responding, and all are delivered', async () => {
  const apis = await Promise.all([world.start({ ROLE: 'api' }), world.start({ ROLE: 'api' })]);
  const workers = await Promise.all([
    world.start({ ROLE: 'worker' }),
    world.start({ ROLE: 'worker' }),
  ]);
  const origins = apis.map(({ origin }) => origin);
  const account = await world.addAccount(1_000);
  world.store.setSilent(true);
  const orders = Array.from({ length: count }, (_, number) => [
    clipOrder(`film ${number}.`),
    still(`still ${number}. n1`),
  ]).flat();
  const histories = await createAll(origins, account, orders, 4);
  await until(
    () => workers.some((worker) => worker.log().includes('the media store did nothing for')),
    'a transfer has stalled',
  );
  const { generations } = world.mongo.collections;
  expect(await generations.countDocuments({ status: 'completed' })).toBe(0);
  world.store.setSilent(false);
  await untilAllEnded(world, 180_000);
  expect(await generations.countDocuments({ status: 'completed' })).toBe(2 * count);
  expect(await checkWorld({ ...world, ark: world.silenced }, origins[0] ?? '', histories)).toEqual(
    [],
  );
}, 400_000);

/** One picture of the model that the fleet has a route for. */
function still(prompt: string): Order {
  const body = image({ model: 'image-a-2', prompt, parameters: { n: 1 } });
  return { kind: 'image', path: '/v1/images', prompt, body, credits: 8, files: 1 };
}
