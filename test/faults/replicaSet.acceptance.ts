import { expect } from '@jest/globals';
import { checkWorld, untilAllEnded } from './checkWorld.ts';
import { openFaultWorld, quickTimings } from './faultWorld.ts';
import { testInWholeRun } from './inWholeRun.ts';
import { clientCredits, createPatiently, type History } from './patientClient.ts';
import { startReplicaSet } from './startReplicaSet.ts';

testInWholeRun(
  'members are killed and primaries step down while clients create and generations run',
  async () => {
    const replicas = await startReplicaSet(3, 'faults');
    const world = await openFaultWorld({ uri: replicas.uri, timings: quickTimings });
    try {
      const gateway = await world.start();
      const account = await world.addAccount(1_000_000);
      const histories: Promise<History>[] = [];
      const ask = async () => {
        const once = { running: 1, waiting: 0, burst: 1, createsPerMinute: 1 };
        const last = await world.addAccount(clientCredits, once);
        for (const each of [last, account, account]) {
          const prompt = `trouble ${histories.length}.`;
          histories.push(createPatiently(() => [gateway.origin], each, prompt));
        }
      };
      for (let round = 0; round < 4; round += 1) {
        await ask();
        await replicas.stepDown();
      }
      for (let member = 0; member < replicas.members; member += 1) {
        await ask();
        await replicas.kill(member);
        await replicas.restart(member);
      }
      const asked = await Promise.all(histories);
      await untilAllEnded(world, 120_000);
      expect(await checkWorld(world, gateway.origin, asked)).toEqual([]);
      expect(gateway.isAlive()).toBe(true);
    } finally {
      await world.close();
      await replicas.stop();
    }
  },
  400_000,
);
