import { beforeAll, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import type { FaultPoint } from '../../gateway/src/application/ports/system.ts';
import { checkWorld, untilAllEnded } from './checkWorld.ts';
import type { FaultAccount, FaultWorld } from './faultWorld.ts';
import { describeInWholeRun } from './inWholeRun.ts';
import { createPatiently } from './patientClient.ts';
import { useFaultWorld } from './useFaultWorld.ts';

/** The longest permitted stall of a generation after its worker died, in ms (I10, docs/invariants.md). */
const healedWithinMs = minuteMs;

const points: readonly FaultPoint[] = [
  'submit.beforeProvider',
  'submit.afterProvider',
  'poll.afterProvider',
  'complete.afterStored',
  'end.beforeTransaction',
];

/** With the lease and the intervals of production this takes half a minute a step. */
describeInWholeRun('at the pace of production', () => {
  const opened = useFaultWorld();
  let world: FaultWorld;
  let account: FaultAccount;
  beforeAll(async () => {
    world = opened();
    account = await world.addAccount(1_000_000);
  }, 120_000);

  test.each(points)(
    'the work of a worker killed at %s is recovered within a minute',
    async (point) => {
      const victim = await world.start();
      victim.command({ arm: { point, times: 1, signal: 'SIGKILL' } });
      const asked = createPatiently(() => [victim.origin], account, `${point}.`);
      await victim.ended;
      const before = performance.now();
      const next = await world.start();
      await untilAllEnded(world, 2 * healedWithinMs);
      const tookMs = performance.now() - before;
      process.stdout.write(`${point}: made good for after ${(tookMs / 1000).toFixed(1)} s\n`);
      expect(tookMs).toBeLessThan(healedWithinMs);
      expect(await checkWorld(world, next.origin, [await asked])).toEqual([]);
      await next.stop();
    },
    240_000,
  );

  test('an emptied job collection is filled again within a minute', async () => {
    const gateway = await world.start();
    world.ark.script({ prompt: 'emptied', on: 'task', plan: { polls: 3, end: 'succeeded' } });
    const history = await createPatiently(() => [gateway.origin], account, 'emptied.');
    await world.mongo.collections.jobs.deleteMany({});
    const before = performance.now();
    await untilAllEnded(world, 2 * healedWithinMs);
    const tookMs = performance.now() - before;
    process.stdout.write(`emptied jobs: made good for after ${(tookMs / 1000).toFixed(1)} s\n`);
    expect(tookMs).toBeLessThan(healedWithinMs);
    expect(await checkWorld(world, gateway.origin, [history])).toEqual([]);
    await gateway.stop();
  }, 240_000);
});
