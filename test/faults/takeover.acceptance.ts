import { expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { defaultTimings } from '../../gateway/src/application/generations/timings.ts';
import { until } from '../support/until.ts';
import { untilAllEnded } from './checkWorld.ts';
import { createPatiently } from './patientClient.ts';
import { useFaultWorld } from './useFaultWorld.ts';

/** Leases and locks too long for any test to wait for. */
const timings = { ...defaultTimings, leaseMs: 600_000, lockMs: 600_000 };
const opened = useFaultWorld({ timings });

test('the work of a killed worker goes to another one long before its leases expire', async () => {
  const world = opened();
  const api = await world.start({ ROLE: 'api' });
  const killed = await world.start({ ROLE: 'worker' });
  const account = await world.addAccount(1_000);
  // Its files never arrive: the worker holds the leases while it fetches them.
  world.ark.script({ on: 'media', fault: { kind: 'hang' }, times: 5 });
  const prompts = [0, 1, 2, 3, 4].map((index) => `takeover ${index}.`);
  await Promise.all(prompts.map((prompt) => createPatiently(() => [api.origin], account, prompt)));
  const { generations } = world.mongo.collections;
  const held = {
    step: 'submitted',
    leaseUntil: { $gt: new Date(world.mongo.clock.now() + minuteMs) },
  } as const;
  await until(
    async () =>
      world.ark.submitted().filter(({ polls }) => polls > 1).length === prompts.length &&
      (await generations.countDocuments(held)) === prompts.length,
    'the worker fetches all files',
  );
  killed.signal('SIGKILL');
  await killed.ended;
  await world.start({ ROLE: 'worker' });
  await untilAllEnded(world, 100_000);
  expect(await generations.countDocuments({ status: 'completed' })).toBe(prompts.length);
});
