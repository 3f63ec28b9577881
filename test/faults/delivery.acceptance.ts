import { beforeAll, expect, test } from '@jest/globals';
import { parseStoredGeneration } from '../../gateway/src/adapters/mongo/generations/generationWrites.ts';
import { checkWorld, untilAllEnded } from './checkWorld.ts';
import { type FaultAccount, type FaultWorld, quickTimings } from './faultWorld.ts';
import { createPatiently } from './patientClient.ts';
import { useFaultWorld } from './useFaultWorld.ts';

const opened = useFaultWorld({ timings: quickTimings });
let world: FaultWorld;
let account: FaultAccount;
beforeAll(async () => {
  world = opened();
  account = await world.addAccount(1_000_000);
  const film = { width: 64, height: 36 };
  world.ark.script({ prompt: 'tiny', on: 'task', plan: { polls: 0, end: 'succeeded', film } });
});

test.each(['deliver.beforeNoted', 'deliver.afterNoted', 'refuse.afterKept'] as const)(
  'a result that differs from the order is refunded once when its worker is killed at %s',
  async (point) => {
    const victim = await world.start();
    victim.command({ arm: { point, times: 1, signal: 'SIGKILL' } });
    const asked = createPatiently(() => [victim.origin], account, `tiny ${point}.`);
    await victim.ended;
    const next = await world.start();
    await untilAllEnded(world, 120_000);
    const history = await asked;
    expect(await checkWorld(world, next.origin, [history])).toEqual([]);
    const { generations, deliveries } = world.mongo.collections;
    const _id = history.generationId;
    const found = await generations.findOne({ _id });
    expect(found && parseStoredGeneration(found)).toMatchObject({
      status: 'failed',
      attempts: [
        {
          lost: { reason: 'not_as_ordered' },
          differences: [{ in: 'size', isGross: true }],
          refused: { files: [{ key: `arrived/${_id}/1_0.raw`, width: 64 }] },
        },
      ],
    });
    const noted = (await deliveries.find().toArray()).flatMap((each) => each.undelivered);
    const counted = noted.flatMap((each) => each.generations).filter((id) => id === _id);
    expect(counted).toEqual([_id]);
    await next.stop();
  },
  240_000,
);
