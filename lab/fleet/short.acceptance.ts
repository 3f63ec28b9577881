import { expect, test } from '@jest/globals';
import { runFleet } from './runFleet.ts';

/** Fixed, so that random choices are reproducible; `npm run fleet` tries others. */
const seed = 20_261_121;

test('two api and two worker processes keep every promise during a minute of faults', async () => {
  const note = (line: string) => void process.stdout.write(`${line}\n`);
  const { wrong, table } = await runFleet({
    sizes: { api: 2, worker: 2 },
    minutes: 1,
    accountCount: 12,
    seed,
    record: note,
    perSecond: { ordinary: 2, hot: 1 },
  });
  note(`\n${table}\n`);
  expect(wrong).toEqual([]);
}, 1_200_000);
