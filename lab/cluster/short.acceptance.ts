import { expect, test } from '@jest/globals';
import { runCluster } from './runCluster.ts';

test('a cluster is rolled, loses each part once, and is restored from a backup: no customer meets an error', async () => {
  const note = (line: string) => void process.stdout.write(`${line}\n`);
  const { wrong, tables } = await runCluster({
    sizes: { api: 3, worker: 2 },
    perSecond: { creates: 1, reads: 12 },
    pace: {
      quietMs: 3_000,
      afterMs: 2_000,
      memberLostMs: 5_000,
      storeDownMs: 4_000,
      skewedMs: 3_000,
    },
    tools: null,
    record: note,
  });
  for (const table of tables) note(`\n${table}\n`);
  expect(wrong).toEqual([]);
}, 1_200_000);
